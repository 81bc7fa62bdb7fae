import type { Sandbox, Tool } from '@codeact/spec'
import { afterEach, describe, expect, it } from 'vitest'
import { e2b } from '../src/index.ts'
import type { Fault } from './emulator/faults.ts'
import { emulator, isCloud, slow } from './target.ts'
import { tool } from './tools.ts'

/** Prints, calls, and prints what came back: whatever is lost or comes twice is seen. */
const BUSY = `
for n in range(40):
    print("line", n, "." * (n * 7 % 50))
    assert double(n) == 2 * n
"end"`
const PRINTED = Array.from({ length: 40 }, (_, n) => `line ${n} ${'.'.repeat((n * 7) % 50)}\n`).join('')

const { faults, connection } = isCloud || !slow.isMet ? ({} as never) : await emulator()
const opened: Sandbox[] = []

async function open(tools: readonly Tool[] = []): Promise<Sandbox> {
  const sandbox = await e2b(connection).open({ tools })
  opened.push(sandbox)
  return sandbox
}

afterEach(async () => {
  faults.clear()
  await Promise.all(opened.splice(0).map((sandbox) => sandbox.close()))
})

/** Runs the busy cell while these faults happen, and holds it to what it must give in any case. */
async function survives(planned: readonly Fault[]): Promise<void> {
  const calls: number[] = []
  const double = tool('double', (n) => {
    calls.push(n)
    return 2 * n
  })
  const sandbox = await open([double])
  for (const fault of planned) faults.add(fault)
  const { status, stdout, value, error } = await sandbox.execute(BUSY)
  expect(error?.traceback).toBeUndefined()
  expect({ status, stdout, value: value?.['text/plain'] }).toEqual({ status: 'ok', stdout: PRINTED, value: "'end'" })
  expect(calls).toEqual(Array.from({ length: 40 }, (_, n) => n))
}

const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

describe.skipIf(isCloud || !slow.isMet)(`a connection that breaks ${slow.reason}`, () => {
  it.each(['reset', 'end'] as const)('is healed wherever its stream comes to a %s', async (by) => {
    const places = range(32).map((n) => 60 + 53 * ((n * 13) % 32))
    const cuts = places.map((afterBytes): Fault => ({ on: 'process.Process/Connect', cut: { afterBytes, by } }))
    // The first stream is that of the start, which goes on until the first input fails.
    await survives([{ on: 'process.Process/SendInput', reset: 'before' }, ...cuts])
  })

  it.each(['before', 'after'] as const)(
    'sends again what was lost %s it had its effect, and nothing runs twice',
    async (reset) => {
      await survives(range(5).map((n) => ({ on: 'process.Process/SendInput', skip: 2 * n, reset })))
    },
  )

  it.each([
    ['502', { status: 502, body: { code: 502, message: 'The sandbox was not found' } }],
    ['503', { status: 503, body: { code: 'unavailable', message: 'busy' } }],
    [
      '429',
      { status: 429, body: { code: 'resource_exhausted', message: 'slow down' }, headers: { 'retry-after': '1' } },
    ],
    ['500', { status: 500, body: 'nonsense' }],
  ])('goes on after an answer of %s, to input and to the connection', async (_status, answer) => {
    await survives([
      ...range(4).map((n): Fault => ({ on: 'process.Process/SendInput', skip: 5 * n, answer })),
      { on: 'process.Process/Connect', answer, times: 2 },
    ])
  })

  it('whose stream ends in an error of the protocol is healed', async () => {
    await survives([
      { on: 'process.Process/SendInput', reset: 'before' },
      ...['unavailable', 'unknown', 'internal', 'deadline_exceeded'].map(
        (code): Fault => ({ on: 'process.Process/Connect', cut: { afterBytes: 400, by: 'error', code } }),
      ),
    ])
  })

  it('that reorders what is sent at the same time has nothing to reorder', async () => {
    faults.reordersStdin = true
    await survives([])
  })

  it('brings what is long through files, in both directions, also where those fail at first', async () => {
    const sandbox = await open()
    const big = new Uint8Array(3_000_000).map((_, n) => (n * n) % 251)
    faults.add({ on: 'POST /files', reset: 'after' })
    faults.add({ on: 'GET /files', cut: { afterBytes: 100_000, by: 'reset' } })
    faults.add({ on: 'GET /files', answer: { status: 503 } })
    await sandbox.files.write('big', big)
    expect(Buffer.from(await sandbox.files.read('big')).equals(Buffer.from(big))).toBe(true)
    const folder = 'import glob\n[name for name in glob.glob("/tmp/codeact-*/*") if not name.endswith("/modules")]'
    await expect.poll(async () => (await sandbox.execute(folder)).value?.['text/plain']).toBe('[]')
  })
})
