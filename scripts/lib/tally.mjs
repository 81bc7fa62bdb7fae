import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './run.mjs'
import { tool } from './tools.mjs'

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {{ file: string, name: string, reason?: string | undefined }} Skip without a reason, the name says it */
/** @typedef {Counts & { skips: Skip[] }} Tally */

/**
 * Runs the tests for all to see, lists what was skipped and why, and counts tests (not files).
 *
 * @param {string[]} args for vitest
 * @returns {Promise<Counts>}
 */
export async function tally(args) {
  const folder = mkdtempSync(join(tmpdir(), 'codeact-tally-'))
  const file = join(folder, 'tally.json')
  try {
    const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/lib/vitest-tally.mjs')}`]
    const { ok } = await tool('vitest', ['run', ...reporters, ...args], { env: { CODEACT_TALLY: file }, watched: true })
    const { passed, failed, skipped, skips } = read(file)
    list(skips)
    // A run that failed for a reason that is no test's must not look green.
    return { passed, failed: ok ? failed : Math.max(failed, 1), skipped }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} file @returns {Tally} */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { passed: 0, failed: 1, skipped: 0, skips: [] } // it did not get as far as writing one
  }
}

/** @param {Skip[]} skips */
function list(skips) {
  /** @type {Map<string, Skip[]>} */
  const alike = new Map()
  for (const skip of skips) {
    const key = JSON.stringify([skip.file, skip.reason ?? skip.name])
    alike.set(key, [...(alike.get(key) ?? []), skip])
  }
  if (skips.length > 0) console.log('skipped:')
  for (const [skip, ...more] of alike.values()) {
    const others = more.length > 0 ? ` (and ${more.length} more)` : ''
    console.log(`  ${skip?.file} > ${skip?.name}${others}${skip?.reason ? `: ${skip.reason}` : ''}`)
  }
}
