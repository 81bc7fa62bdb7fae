import { setTimeout } from 'node:timers/promises'
import { local } from '@codeact/executor-local'
import type { Sandbox } from '@codeact/spec'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Attempt, explore } from '../../src/index.ts'
import { add, python } from '../support.ts'
import { watched } from '../watched.ts'

const executor = watched(local({ isolation: 'none', timeoutMs: 5000 }))
const valueIn = async (sandbox: Sandbox | undefined, code: string): Promise<string | undefined> =>
  (await sandbox?.execute(code))?.value?.['text/plain']
const never = (): Promise<never> => new Promise(() => {})

describe.skipIf(!python.isMet)(`exploring ${python.reason}`, () => {
  let parent: Sandbox
  beforeEach(async () => {
    parent = await executor.open({ tools: [add] })
    await parent.execute('words = ["b", "a"]\nopen("kept", "w").write("1")')
  })
  afterEach(async () => {
    expect([...executor.boxes]).toEqual([parent])
    expect(await valueIn(parent, 'words, open("kept").read()')).toBe("(['b', 'a'], '1')")
    await parent.close()
  })

  it('runs candidates in twins, and keeps the sandbox of the one that the judge chooses', async () => {
    const candidates = [
      'words.append("c")\nopen("kept", "w").write("2")',
      { code: 'words.sort()', language: 'python' },
      '1 / 0',
    ]
    const seen: Attempt[] = []
    const judge = async (attempts: readonly Attempt[]) => {
      seen.push(...attempts)
      const words = await Promise.all(attempts.map(({ sandbox }) => valueIn(sandbox, 'words')))
      return words.indexOf("['a', 'b']")
    }
    const { winner, sandbox, executions } = await explore(parent, candidates, { judge })
    expect(winner).toBe(1)
    expect(executions.map(({ status }) => status)).toEqual(['ok', 'ok', 'error'])
    expect(seen.map(({ index, code }) => [index, code])).toEqual([
      [0, candidates[0]],
      [1, 'words.sort()'],
      [2, '1 / 0'],
    ])
    expect(seen.map(({ execution }) => execution)).toEqual(executions)
    expect(executor.boxes.size).toBe(2)
    expect(await valueIn(sandbox, 'words, open("kept").read()')).toBe("(['a', 'b'], '1')")
    await sandbox?.close()
  })

  it('runs them side by side, with one time limit each, and tells whose events are whose', async () => {
    const [told, asked]: [Set<string>, unknown[]] = [new Set(), []]
    const meeting = new Set<number>()
    const { executions, winner, sandbox } = await explore(parent, ['add(1, 0)', 'add(1, 1)', 'while True: pass'], {
      judge: () => undefined,
      timeoutMs: 2000,
      context: 'mine',
      onEvent: ({ type }, index) => told.add(`${index} ${type}`),
      onToolCall: async (_call, { context }, index) => {
        asked.push([index, context])
        meeting.add(index)
        // Each waits for the other: one behind the other they would never meet.
        while (meeting.size < 2) await setTimeout(5)
        return { ok: true, value: 10 * (index + 1) }
      },
    })
    expect([winner, sandbox]).toEqual([undefined, undefined])
    expect(executions.map(({ status, value }) => value?.['text/plain'] ?? status)).toEqual(['10', '20', 'timeout'])
    expect(asked.sort()).toEqual([
      [0, 'mine'],
      [1, 'mine'],
    ])
    for (const name of ['0 tool-start', '1 tool-start', '2 execution-end']) expect(told).toContain(name)
  })

  it('may have no winner', async () => {
    const judge = (attempts: readonly Attempt[]) => attempts.findIndex(({ execution }) => execution.status === 'ok')
    const { executions, ...rest } = await explore(parent, ['1 / 0', 'nothing'], { judge })
    expect([executions.length, rest]).toEqual([2, {}])
  })

  it('asks nobody where there is nothing to choose from', async () => {
    expect(await explore(parent, [], { judge: never })).toEqual({ executions: [] })
  })

  it.each([
    ['throws', () => Promise.reject(new Error('no idea')), 'no idea'],
    ['throws at once', () => void JSON.parse('{'), 'JSON'],
    ['gives no index', () => 2, 'The judge gave 2'],
    ['gives half an index', () => 0.5, 'The judge gave 0.5'],
  ])('leaves nothing behind where the judge %s', async (_what, judge, message) => {
    await expect(explore(parent, ['1', '2'], { judge: judge as () => number })).rejects.toThrow(message)
  })

  it('leaves nothing behind where a listener throws, or a twin fails', async () => {
    const onEvent = () => {
      throw new Error('not listening')
    }
    await expect(explore(parent, ['while True: pass', '1'], { judge: never, onEvent })).rejects.toThrow('not listening')
    const candidates = ['1', { code: '1', language: 'cobol' }]
    await expect(explore(parent, candidates, { judge: never })).rejects.toMatchObject({ code: 'LANGUAGE_UNKNOWN' })
    const { fork } = parent
    let isFirst = true
    parent.fork = async () => {
      if (!isFirst || fork === undefined) throw new Error('too many')
      isFirst = false
      return fork()
    }
    await expect(explore(parent, ['1', '2', '3'], { judge: never })).rejects.toThrow('too many')
    Object.assign(parent, { fork: undefined })
    await expect(explore(parent, ['1'], { judge: never })).rejects.toMatchObject({ code: 'FORK_UNSUPPORTED' })
  })

  it.each([
    ['twins are made', 'fork'],
    ['cells run', 'execution-start'],
    ['the judge thinks', 'judge'],
  ])('stops at an abort while %s', async (_when, when) => {
    const stop = new AbortController()
    const at = (moment: string) => moment === when && stop.abort(new Error('enough'))
    const forked: Promise<Sandbox>[] = []
    const { fork } = parent
    parent.fork = () => {
      at('fork')
      const twin = fork?.call(parent) as Promise<Sandbox>
      forked.push(twin)
      return twin
    }
    const judge = () => {
      at('judge')
      return never()
    }
    const code = when === 'judge' ? '1' : 'while True: pass'
    const options = { judge, signal: stop.signal, onEvent: ({ type }: { type: string }) => at(type) }
    await expect(explore(parent, [code, code], options)).rejects.toThrow('enough')
    // A twin that comes late is closed as it comes.
    await Promise.all(forked)
    await vi.waitFor(() => expect(executor.boxes.size).toBe(1))
    expect(forked).toHaveLength(when === 'fork' ? 1 : 2)
  })

  it('starts nothing where it is aborted before', async () => {
    const fork = vi.spyOn(parent, 'fork')
    const options = { judge: never, signal: AbortSignal.abort(new Error('enough')) }
    await expect(explore(parent, ['1'], options)).rejects.toThrow('enough')
    expect(fork).not.toHaveBeenCalled()
  })

  it('gives no winner whose rivals do not close: then nothing is left', async () => {
    const judge = ([, rival]: readonly Attempt[]) => {
      const close = rival?.sandbox.close
      Object.assign(rival?.sandbox ?? {}, {
        close: async () => {
          await close?.()
          throw new Error('stuck')
        },
      })
      return 0
    }
    await expect(explore(parent, ['1', '2'], { judge })).rejects.toThrow('stuck')
  })
})
