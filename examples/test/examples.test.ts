import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { requirement } from '@codeact/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'

const bubblewrap = await requirement('bubblewrap', () =>
  promisify(execFile)('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']),
)
const folder = new URL('../', import.meta.url)
const LONGEST = 40

/** What each example says last. */
const ENDS: Readonly<Record<string, unknown>> = {
  'agent-as-tool.ts': 'Twice seven. 1',
  'answers.ts': 'Revenue: 73.50 best: tea',
  'approve.ts': '4 The note says 42.',
  'ask-user.ts': 'There is a table in Turin, for 3.',
  'budgets.ts': 'answer - There are 17 primes below 60.',
  'coder-and-reviewer.ts': 'reviews: answer in 1 step, answer in 1 step',
  'corpus.ts': 'fenced() finds all',
  'explore.ts': 'Way 1 is the best; it predicts 45.',
  'fence-in-a-string.ts': 'The report is in report.md.',
  'files-and-images.ts': 'Nine were sold; the logo is a dot.',
  'languages.ts': 'It is 55.',
  'memory.ts': 'I have read six pages.',
  'prompt.ts': '50.00',
  'replay.ts': expect.stringMatching(/^REPLAY_MISMATCH: [\s\S]*recorded: 2\n\s*got: +1$/),
  'resume.ts': 'Tea is ordered, as number 4711.',
  'rolled-back.ts': 'It is 499999999999500000000000. kept rolled-back kept ',
  'save-session.ts': 'Four teas are 14.00.',
  'server-sent-events.ts': 'It is desserts.',
  'tool-calls.ts': 'answer -> It is 19.00.',
  'undo.ts': 'One tea is sold, and 6 are left.',
}

const read = async (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8')
const texts = new Map(await Promise.all(Object.keys(ENDS).map(async (name) => [name, await read(name)] as const)))
/** Those that need no more than Node, and those that run code in a subprocess. */
const inSubprocess = (name: string): boolean => texts.get(name)?.includes('local(') === true
const [local, others] = [
  Object.keys(ENDS).filter(inSubprocess),
  Object.keys(ENDS).filter((name) => !inSubprocess(name)),
]

async function run(name: string): Promise<void> {
  const said = vi.spyOn(console, 'log').mockImplementation(() => {})
  await import(new URL(name, folder).href)
  expect(said.mock.calls.at(-1)?.join(' ')).toEqual(ENDS[name])
  expect(said.mock.calls.length).toBeGreaterThan(1)
}

afterEach(() => vi.restoreAllMocks())

describe('the examples', () => {
  it('are all run here', async () => {
    expect((await readdir(folder)).filter((name) => name.endsWith('.ts'))).toEqual(Object.keys(ENDS))
  })

  it.each([...texts])('are short: %s', (_name, text) => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(LONGEST)
  })

  it.each(others)('run: %s', { timeout: 90_000 }, run)
})

describe.skipIf(!bubblewrap.isMet)(`the examples with local() ${bubblewrap.reason}`, () => {
  it.each(local)('run: %s', run)
})
