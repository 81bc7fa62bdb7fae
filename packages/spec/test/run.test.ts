import { describe, expect, it } from 'vitest'
import { CodeActError, type CodeActEvent, eventStamp, Run } from '../src/index.ts'

const tick = (ms = 5): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A run that emits numbered progress events, and then gives or throws what it is told to. */
function counting(count: number, end: () => number): Run<CodeActEvent, number> {
  return new Run(async (emit) => {
    const stamp = eventStamp('r')
    for (let n = 0; n < count; n++) {
      emit(stamp({ type: 'progress', id: 'r', message: String(n) }))
      await tick(1)
    }
    return end()
  })
}

async function messages(run: Run<CodeActEvent, number>): Promise<string[]> {
  const seen: string[] = []
  for await (const event of run) if (event.type === 'progress') seen.push(event.message)
  return seen
}

function boom(): never {
  throw new CodeActError('BOOM', 'it broke')
}

describe('Run', () => {
  it('starts by itself, once, after the caller had its turn', async () => {
    let starts = 0
    const run = new Run<CodeActEvent, number>(async () => ++starts)
    expect(starts).toBe(0)
    expect([await run, await run, await run.then((n) => n)]).toEqual([1, 1, 1])
    expect(starts).toBe(1)
  })

  it('starts although nobody listens', async () => {
    let started = false
    new Run<CodeActEvent, void>(async () => {
      started = true
    })
    await tick()
    expect(started).toBe(true)
  })

  it('gives every listener all events from the first, early or late', async () => {
    const run = counting(3, () => 7)
    const early = messages(run)
    expect(await run).toBe(7)
    expect(await early).toEqual(['0', '1', '2'])
    expect(await messages(run)).toEqual(['0', '1', '2'])
  })

  it('goes on when a listener leaves', async () => {
    const run = counting(3, () => 7)
    for await (const _ of run) break
    expect(await run).toBe(7)
    expect(await messages(run)).toHaveLength(3)
  })

  it('throws its failure at the end of each iteration, after the events', async () => {
    const run = counting(2, boom)
    const seen: string[] = []
    const listen = async (): Promise<void> => {
      for await (const event of run) if (event.type === 'progress') seen.push(event.message)
    }
    await expect(listen()).rejects.toMatchObject({ code: 'BOOM' })
    expect(seen).toEqual(['0', '1'])
    await expect(messages(run)).rejects.toMatchObject({ code: 'BOOM' })
  })

  it('puts the log so far on its failure, out of the way of printing', async () => {
    const error: unknown = await counting(2, boom).catch((reason: unknown) => reason)
    expect(CodeActError.is(error) && error.log?.map(({ seq }) => seq)).toEqual([0, 1])
    expect(Object.keys(error as object)).not.toContain('log')
  })

  it('counts as handled once an iterator was taken, and as unhandled when nobody cares', async () => {
    const unhandled: unknown[] = []
    const before = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', (reason) => unhandled.push(reason))
    try {
      counting(0, boom)[Symbol.asyncIterator]()
      await tick(20)
      expect(unhandled).toHaveLength(0)
      counting(0, boom)
      await tick(20)
      expect(unhandled).toHaveLength(1)
    } finally {
      process.removeAllListeners('unhandledRejection')
      for (const listener of before) process.on('unhandledRejection', listener)
    }
  })

  it('tells its body to stop', async () => {
    const run = new Run<CodeActEvent, unknown>((_emit, signal) => {
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)))
    })
    await tick()
    run.abort('enough')
    expect(await run).toBe('enough')
  })

  it('tells its body at once when it was stopped before it began', async () => {
    const run = new Run<CodeActEvent, boolean>(async (_emit, signal) => signal.aborted)
    run.abort()
    expect(await run).toBe(true)
  })

  it('drops what is emitted after its end', async () => {
    let late: ((event: CodeActEvent) => void) | undefined
    const run = new Run<CodeActEvent, number>(async (emit) => {
      late = emit
      return 1
    })
    await run
    late?.(eventStamp('r')({ type: 'progress', id: 'r', message: 'late' }))
    expect(await messages(run)).toEqual([])
  })

  it('is a promise in every respect', async () => {
    const run = counting(0, () => 1)
    let settled = false
    const settle = (): void => {
      settled = true
    }
    expect(await run.finally(settle)).toBe(1)
    expect(settled).toBe(true)
    expect(await Promise.all([run, Promise.resolve(2)])).toEqual([1, 2])
    expect(Object.prototype.toString.call(run)).toBe('[object Run]')
  })
})
