import { setTimeout as sleep } from 'node:timers/promises'
import { requirement } from '@codeact/testing'
import { afterEach, describe, expect, it } from 'vitest'
import type { Backend, ChannelEnd } from '../src/index.ts'
import { defineExecutor } from '../src/index.ts'
import { type Script, scriptedBackend } from './scripted-backend.ts'
import { supervised } from './supervised-executor.ts'

const bubblewrap = await requirement('bubblewrap', async () => {
  await using sandbox = await supervised().open()
  await sandbox.execute('1')
})

const answer: Script = (kernel, frame) => {
  if (frame.type === 'run') kernel.say('done', frame.id ?? '', { ok: true })
}

/** Backends that count themselves; `hold` keeps the next from starting. */
function pooled(size: number) {
  const made: (ReturnType<typeof scriptedBackend> & { closes: number; idle: boolean[] })[] = []
  const state = { fails: false }
  const executor = defineExecutor({
    name: 'pooled',
    languages: ['python'],
    options: { pool: { size } },
    unsupported: {},
    async openBackend(): Promise<Backend> {
      if (state.fails) throw new Error('no room')
      const backend = Object.assign(scriptedBackend(answer), { closes: 0, idle: [] as boolean[] })
      backend.setIdle = (isIdle) => void backend.idle.push(isIdle)
      backend.close = async () => void backend.closes++
      made.push(backend)
      return backend
    },
  })
  return { executor, made, state }
}

const settled = () => sleep(20)
const GONE: ChannelEnd = { reason: 'signal', detail: 'SIGKILL' }

describe('a pool', () => {
  it('starts sandboxes before they are asked for, and others in their place', async () => {
    const { executor, made } = pooled(2)
    await settled()
    expect(made.length).toBe(2)
    await executor.open()
    await settled()
    expect(made.length).toBe(3)
    expect(made.map(({ kernels }) => kernels.length)).toEqual([1, 1, 1])
    await executor.close()
    expect(made.map(({ closes }) => closes)).toEqual([1, 1, 1])
  })

  it('gives all away that are asked for at once before it starts others', async () => {
    const { executor, made } = pooled(3)
    await settled()
    await Promise.all([executor.open(), executor.open(), executor.open()])
    expect(made.length).toBe(3)
    await settled()
    expect(made.length).toBe(6)
    await executor.close()
  })

  it('gives each away once', async () => {
    const { executor, made } = pooled(1)
    const [first, second] = await Promise.all([executor.open(), executor.open()])
    await Promise.all([first.execute('1'), second.execute('1')])
    const runs = made.map(
      ({ kernels }) => kernels.flatMap(({ sent }) => sent.filter(({ type }) => type === 'run')).length,
    )
    expect(runs.filter((count) => count === 1).length).toBe(2)
    await executor.close()
  })

  it('keeps no process alive until then', async () => {
    const { executor, made } = pooled(1)
    await settled()
    expect(made[0]?.idle).toEqual([true])
    await executor.open()
    expect(made[0]?.idle).toEqual([true, false])
    await executor.close()
  })

  it('does not give away what has died meanwhile', async () => {
    const { executor, made } = pooled(1)
    await settled()
    made[0]?.kernels[0]?.die(GONE)
    await settled()
    const sandbox = await executor.open()
    expect((await sandbox.execute('1')).status).toBe('ok')
    expect(made[0]?.closes).toBe(1)
    await executor.close()
  })

  it('leaves it to who opens to be told why there is none, and starts again when there can be', async () => {
    const { executor, made, state } = pooled(1)
    await settled()
    state.fails = true
    await executor.open()
    await settled()
    await expect(executor.open()).rejects.toThrow('no room')
    state.fails = false
    await settled()
    const sandbox = await executor.open()
    expect((await sandbox.execute('1')).status).toBe('ok')
    await settled()
    expect(made.length).toBeGreaterThanOrEqual(2)
    await executor.close()
  })

  it('is emptied by a close that comes before it is full', async () => {
    const { executor, made } = pooled(3)
    await executor.close()
    await settled()
    expect(made.map(({ closes }) => closes)).toEqual([1, 1, 1])
  })

  it('refuses a size that is none', async () => {
    for (const size of [-1, 1.5]) {
      await expect(pooled(size).executor.open()).rejects.toMatchObject({ code: 'OPTION_INVALID' })
    }
  })
})

describe.skipIf(!bubblewrap.isMet)(
  `a pool of processes${bubblewrap.reason && ` (skipped: ${bubblewrap.reason})`}`,
  () => {
    const executor = supervised({ pool: { size: 2 } })
    afterEach(() => executor.close())

    it('shares nothing between those who take one', async () => {
      const [first, second, third] = await Promise.all([executor.open(), executor.open(), executor.open()])
      await first?.execute('x = 1')
      await first?.files.write('mine', 'x')
      for (const other of [second, third]) {
        expect((await other?.execute('x'))?.error?.name).toBe('NameError')
        expect(await other?.files.list()).toEqual([])
      }
    })
  },
)
