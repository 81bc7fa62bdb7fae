import type { Sandbox } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { leftovers, marked } from './leftovers.ts'
import { bubblewrap, python } from './requirements.ts'

async function fork(sandbox: Sandbox): Promise<Sandbox> {
  if (sandbox.fork === undefined) throw new Error('this sandbox has no fork()')
  return sandbox.fork()
}

const isSkipped = !python.isMet || process.platform !== 'linux'

describe.skipIf(isSkipped)(`a fork ${python.reason}`, () => {
  it.for(['bubblewrap', 'none'] as const)(
    'leaves nothing, whoever is closed first, with %s',
    async (isolation, test) => {
      test.skip(isolation === 'bubblewrap' && !bubblewrap.isMet, bubblewrap.reason)
      const executor = marked({ isolation })({})
      const left = await leftovers()
      for (const order of [
        [0, 1, 2],
        [2, 1, 0],
        [1, 0, 2],
      ]) {
        const sandbox = await executor.open()
        await sandbox.execute('import subprocess\nchild = subprocess.Popen(["sleep", "600"])')
        const twin = await fork(sandbox)
        const boxes = [sandbox, twin, await fork(twin)]
        for (const box of boxes.slice(1)) await box.execute('child = subprocess.Popen(["sleep", "600"])')
        for (const n of order) await boxes[n]?.close()
        await expect.poll(leftovers).toEqual(left)
      }
      const sandbox = await executor.open()
      await fork(await fork(sandbox))
      await executor.close()
      await expect.poll(leftovers).toEqual(left)
    },
  )

  it.for(['bubblewrap', 'none'] as const)(
    'shares the limits, and what it breaks of them, with %s',
    async (isolation, test) => {
      test.skip(isolation === 'bubblewrap' && !bubblewrap.isMet, bubblewrap.reason)
      await using executor = marked({ isolation, limits: { memory: '200m' } })({})
      const sandbox = await executor.open()
      await sandbox.execute('x = 41')
      const twin = await fork(sandbox)
      for (let n = 0; n < 2; n++) {
        const { status, reason, state, error } = await twin.execute(
          'held = []\nwhile True: held.append(b"x" * 10 ** 7)',
        )
        expect([status, reason, state, error?.message]).toEqual([
          ...['crashed', 'memory', 'rolled-back', 'killed: memory limit 200 MB'],
        ])
        expect((await twin.execute('x + 1')).value?.['text/plain']).toBe('42')
        expect(await sandbox.execute('sum(range(10 ** 6)) and x')).toMatchObject({ status: 'ok', state: 'kept' })
      }
    },
  )

  it.for(['bubblewrap', 'none'] as const)(
    'removes its own files when it is closed, with %s',
    async (isolation, test) => {
      test.skip(isolation === 'bubblewrap' && !bubblewrap.isMet, bubblewrap.reason)
      await using executor = marked({ isolation })({})
      const sandbox = await executor.open()
      await sandbox.execute('import os')
      const twin = await fork(sandbox)
      const folder = (await twin.execute('os.getcwd()')).value?.['text/plain']
      const isThere = async (): Promise<string | undefined> =>
        (await sandbox.execute(`os.path.exists(${folder})`)).value?.['text/plain']
      expect(await isThere()).toBe('True')
      await twin.close()
      expect(await isThere()).toBe('False')
    },
  )
})
