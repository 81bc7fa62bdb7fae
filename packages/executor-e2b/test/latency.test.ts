import { afterEach, describe, expect, it } from 'vitest'
import { e2b } from '../src/index.ts'
import { emulator, isCloud, slow, target } from './target.ts'
import { tool } from './tools.ts'

const { faults, connection, requests } = isCloud || !target.isMet ? ({} as never) : await emulator()
const RTT_MS = 80
/** Longer than a kill may take where the sandbox is near. */
const FAR_MS = 900
const inputs = (): number => requests.filter(({ route }) => route === 'process.Process/SendInput').length

afterEach(() => faults.clear())

describe.skipIf(isCloud || !target.isMet)(`with a round trip of ${RTT_MS} ms ${target.reason}`, () => {
  it('a tool call costs one, and hundreds at once not much more', async () => {
    await using executor = e2b(connection)
    const sandbox = await executor.open({ tools: [tool('double', (n) => 2 * n)] })
    await sandbox.execute('import asyncio')
    faults.roundTripMs = RTT_MS
    const before = inputs()
    const { durationMs, status } = await sandbox.execute('for n in range(10): double(n)')
    // One to start the cell, one for each answer.
    expect({ status, inputs: inputs() - before }).toEqual({ status: 'ok', inputs: 11 })
    expect(durationMs).toBeGreaterThan(10 * RTT_MS)
    const between = inputs()
    const many = await sandbox.execute('sum(await asyncio.gather(*(double.aio(n) for n in range(160))))')
    expect(many.value?.['text/plain']).toBe('25440')
    expect(inputs() - between).toBeLessThan(16)
    // A limit of the requirement: one after the other they would take 13 s.
    expect(many.durationMs).toBeLessThan(2000)
  })

  it('output is told as it comes', async () => {
    await using executor = e2b(connection)
    const sandbox = await executor.open()
    faults.roundTripMs = RTT_MS
    const run = sandbox.execute('import time\nfor n in range(10):\n    print(n)\n    time.sleep(0.1)')
    const texts: string[] = []
    for await (const event of run) if (event.type === 'stdout-delta') texts.push(event.text)
    expect(texts.join('')).toBe(Array.from({ length: 10 }, (_, n) => `${n}\n`).join(''))
    expect(texts.length).toBeGreaterThan(5)
  })
})

describe.skipIf(isCloud || !target.isMet)(`with a round trip of ${FAR_MS} ms ${target.reason}`, () => {
  it('a cell is interrupted, or killed and rolled back, and the next one is not', { timeout: 60_000 }, async (test) => {
    test.skip(!slow.isMet, slow.reason)
    await using executor = e2b(connection)
    const sandbox = await executor.open()
    await sandbox.execute('import signal\nx = 41')
    faults.roundTripMs = FAR_MS
    await sandbox.execute('1')
    const interrupted = await sandbox.execute('while True: pass', { timeoutMs: 300 })
    expect(interrupted).toMatchObject({ status: 'timeout', state: 'kept' })
    const deaf = '_ = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())'
    const killed = await sandbox.execute(`x = 0\n${deaf}\nwhile True: pass`, { timeoutMs: 300 })
    expect(killed).toMatchObject({ status: 'timeout', state: 'rolled-back' })
    expect(await sandbox.execute('x + 1')).toMatchObject({ status: 'ok', state: 'kept', value: { 'text/plain': '42' } })
  })
})
