// From a fresh clone to the benchmark tables. Arguments go on to the benchmarks: names of measures, --quick.
import { join } from 'node:path'
import { root, run } from './lib/run.mjs'
import { stages } from './lib/stages.mjs'
import { install } from './lib/tools.mjs'

const stage = stages(process.stderr)

if (await stage('installing packages', install)) {
  const sources = ['--conditions=@codeact/source', '--import', 'tsx']
  const main = join(root, 'benchmarks', 'src', 'main.ts')
  const { ok } = await run(process.execPath, [...sources, main, ...process.argv.slice(2)], { watched: true })
  process.exitCode = ok ? 0 : 1
} else {
  process.exitCode = 1
}
