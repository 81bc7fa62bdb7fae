import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'

const script = fileURLToPath(new URL('../../scripts/lib/tally.mjs', import.meta.url))
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codeact-tally-test-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Tallies a folder that holds one test file; gives what is printed below vitest's own report. */
async function tally(source: string): Promise<{ counts: unknown; printed: string[] }> {
  await writeFile(join(folder, 'it.test.js'), source)
  const code = `import { tally } from ${JSON.stringify(script)}
    console.log(JSON.stringify(await tally(['--globals', '--root', ${JSON.stringify(folder)}])))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  const lines = stdout.trimEnd().split('\n')
  return { counts: JSON.parse(lines.at(-1) ?? ''), printed: lines.slice(lines.indexOf('skipped:'), -1) }
}

test('tests are counted, and skips are listed with their reasons', async () => {
  const { counts, printed } = await tally(`
    test('good', () => {})
    test('bad', () => { throw new Error('bad') })
    test('one', (t) => t.skip(true, 'no engine'))
    test('two', (t) => t.skip(true, 'no engine'))
    describe.skip('box (no daemon)', () => { test('a', () => {}); test('b', () => {}) })
    test.skip('alone (too slow)', () => {})`)
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 5 })
  expect(printed).toEqual([
    'skipped:',
    '  it.test.js > one (and 1 more): no engine',
    '  it.test.js > box (no daemon) (and 1 more)',
    '  it.test.js > alone (too slow)',
  ])
})

test.each([
  ['a file that does not load', "import './absent.js'", { passed: 0, failed: 1, skipped: 0 }],
  ['a file without tests', '', { passed: 0, failed: 1, skipped: 0 }],
  [
    'a group that cannot be set up',
    "describe('g', () => { beforeAll(() => { throw new Error('no') }); test('a', () => {}) })",
    { passed: 0, failed: 1, skipped: 1 },
  ],
  [
    'an error that belongs to no test',
    "test('a', () => { setTimeout(() => { throw new Error('stray') }) }); test('b', () => new Promise((r) => setTimeout(r, 100)))",
    { passed: 2, failed: 1, skipped: 0 },
  ],
  [
    'a worker that dies',
    "test('a', async () => { process.kill(process.pid, 'SIGKILL'); await new Promise(() => {}) })",
    { passed: 0, failed: 2, skipped: 0 },
  ],
])('%s counts as failed', async (_fault, source, expected) => {
  expect((await tally(source)).counts).toEqual(expected)
})
