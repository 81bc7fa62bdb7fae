// From a fresh clone to the demo: installs, builds, and becomes the `codeact` command. Arguments go on to it.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './lib/run.mjs'
import { stages } from './lib/stages.mjs'
import { build, install } from './lib/tools.mjs'

const stage = stages(process.stderr) // stdout belongs to the demo

if ((await stage('installing packages', install)) && (await stage('building', build))) {
  // In this very process: nothing stands between a signal and the demo, and nothing outlives it.
  const command = join(root, 'apps', 'demo', 'dist', 'cli.js')
  process.argv.splice(1, 1, command, 'tasks')
  await import(pathToFileURL(command).href)
} else {
  process.exitCode = 1
}
