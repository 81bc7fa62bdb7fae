import type { Rollback, Sandbox } from '@codeact/spec'
import { expect } from 'vitest'
import { evaluate, type Subject } from './subject.ts'

/** Checkpoints that are asked for, and gone back to. */
export function namedCheckpointCases(subject: Subject): void {
  subject.promise('timeout', (it) => {
    it(
      'goes back to where it was asked to, as often as it is, also after ends of its own',
      async (sandbox) => {
        await sandbox.execute('import os\nx = [1]\nopen("kept", "w").close()')
        const first = await take(sandbox)
        await sandbox.execute('x.append(2)\ny = 2')
        const second = await take(sandbox)
        for (const n of [1, 2]) {
          await sandbox.execute(`x.append(${n + 2})`)
          expect(await back(sandbox, first)).toEqual({ restored: ['os', 'x'], lost: [] })
          expect(await evaluate(sandbox, 'x, "y" in globals()')).toBe('([1], False)')
          await sandbox.execute('x = None')
          expect(await sandbox.execute('x = 0\nos._exit(1)')).toMatchObject({ state: 'rolled-back' })
          expect(await evaluate(sandbox, 'x')).toBeUndefined()
          expect((await back(sandbox, second)).restored).toEqual(['os', 'x', 'y'])
          expect(await evaluate(sandbox, 'x.append(9)\nx, y')).toBe('([1, 2, 9], 2)')
        }
      },
      'state',
    )

    it(
      'keeps the newest eight of the checkpoints that were asked for',
      async (sandbox) => {
        const ids: string[] = []
        for (let n = 0; n < 10; n++) {
          await sandbox.execute(`x = ${n}`)
          ids.push(await take(sandbox))
        }
        await expect(back(sandbox, ids[1] ?? '')).rejects.toMatchObject({ code: 'CHECKPOINT_GONE' })
        await expect(back(sandbox, 'other')).rejects.toMatchObject({ code: 'CHECKPOINT_GONE' })
        expect(await evaluate(sandbox, 'x')).toBe('9')
        await back(sandbox, ids[2] ?? '')
        expect(await evaluate(sandbox, 'x')).toBe('2')
        await sandbox.release?.(ids[9] ?? '')
        await expect(back(sandbox, ids[9] ?? '')).rejects.toMatchObject({ code: 'CHECKPOINT_GONE' })
        await back(sandbox, ids[8] ?? '')
        expect(await evaluate(sandbox, 'x')).toBe('8')
      },
      'state',
    )

    it(
      'falls back to a checkpoint that was asked for where there is none of its own',
      async () => {
        const sandbox = await subject.open({ checkpoint: { upTo: '48m' } })
        await sandbox.execute('import os\nx = 41')
        await take(sandbox)
        await sandbox.execute('x = 42')
        await sandbox.execute('held = b"x" * 2 ** 26')
        await expect(take(sandbox)).rejects.toMatchObject({ code: 'CHECKPOINT_FAILED' })
        const { state, rollback } = await sandbox.execute('os._exit(1)')
        expect([state, rollback?.lost]).toEqual(['rolled-back', ['what the 2 cells before it did']])
        expect(await evaluate(sandbox, 'x')).toBe('41')
      },
      'state',
    )
  })
}

async function take(sandbox: Sandbox): Promise<string> {
  return (await sandbox.checkpoint?.()) ?? 'none'
}

async function back(sandbox: Sandbox, id: string): Promise<Rollback> {
  return (await sandbox.restore?.(id)) ?? { restored: [], lost: ['all'] }
}
