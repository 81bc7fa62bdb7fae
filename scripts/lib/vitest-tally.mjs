import { writeFileSync } from 'node:fs'

/** @typedef {import('vitest/reporters').Reporter} Reporter */

/**
 * Counts tests, and everything else that can go wrong in a run, into the JSON file that `CODEACT_TALLY` names.
 *
 * @implements {Reporter}
 */
export default class VitestTally {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} strays errors that belong to no test
   */
  onTestRunEnd(modules, strays) {
    /** @type {import('./tally.mjs').Tally} */
    const tally = { passed: 0, failed: strays.length, skipped: 0, skips: [] }
    for (const module of modules) {
      tally.failed += module.errors().length
      for (const suite of module.children.allSuites()) tally.failed += suite.errors().length
      for (const test of module.children.allTests()) count(test, tally)
    }
    writeFileSync(process.env.CODEACT_TALLY ?? '', JSON.stringify(tally))
  }
}

/**
 * @param {import('vitest/node').TestCase} test
 * @param {import('./tally.mjs').Tally} tally
 */
function count(test, tally) {
  const result = test.result()
  if (result.state === 'passed') tally.passed++
  else if (result.state === 'skipped') {
    tally.skipped++
    tally.skips.push({ file: test.module.relativeModuleId, name: nameOf(test), reason: result.note })
  } else tally.failed++ // a test that never came to its end has failed
}

/**
 * The outermost group that was skipped as a whole, else the test itself.
 *
 * @param {import('vitest/node').TestCase} test
 */
function nameOf(test) {
  let name = test.fullName
  for (let suite = test.parent; suite.type === 'suite'; suite = suite.parent) {
    if (suite.options.mode === 'skip') name = suite.fullName
  }
  return name
}
