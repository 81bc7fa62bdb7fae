// From a fresh clone to a verdict: every check there is. Arguments go on to vitest; the last line counts the tests.
import { run } from './lib/run.mjs'
import { stages } from './lib/stages.mjs'
import { tally } from './lib/tally.mjs'
import { build, install, tool } from './lib/tools.mjs'

const stage = stages(process.stdout)
/** @type {string[]} */
const failedStages = []

/** @type {typeof stage} */
const check = async (title, work) => {
  const ok = await stage(title, work)
  if (!ok) failedStages.push(title)
  return ok
}

const counts = { passed: 0, failed: 0, skipped: 0 }
if (await check('installing packages', install)) {
  const built = await check('building', build)
  await check('lint', () => tool('biome', ['check', '--error-on-warnings']))
  await check('types', () => tool('tsc'))
  await check('unused code', () => tool('knip', ['--no-config-hints']))
  if (built) await check('packages as published', () => run(process.execPath, ['scripts/check-packages.mjs']))
  Object.assign(counts, await tally(process.argv.slice(2)))
}

if (failedStages.length > 0) console.log(`\nfailed: ${failedStages.join(', ')}`)
counts.failed += failedStages.length
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exitCode = counts.failed > 0 ? 1 : 0
