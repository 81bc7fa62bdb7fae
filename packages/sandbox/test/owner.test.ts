import { spawn } from 'node:child_process'
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { isGone, type Owner, parseOwner, thisOwner } from '../src/owner.ts'

/** A process that is no more. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await new Promise((resolve) => child.once('close', resolve))
  return child.pid as number
}

describe.skipIf(process.platform !== 'linux')('an owner (told apart on Linux)', () => {
  it('is this process', async () => {
    expect(await thisOwner()).toEqual({
      host: hostname(),
      boot: expect.stringMatching(/^[0-9a-f-]{36}$/),
      pidNamespace: expect.stringMatching(/^pid:\[\d+\]$/),
      pid: process.pid,
      startedAt: expect.stringMatching(/^\d+$/),
    })
    expect(await isGone(await thisOwner())).toBe(false)
  })

  it('is gone with its process', async () => {
    expect(await isGone({ ...(await thisOwner()), pid: await deadPid() })).toBe(true)
  })

  it('is gone when its number belongs to another process', async () => {
    expect(await isGone({ ...(await thisOwner()), startedAt: '1' })).toBe(true)
  })

  it.each<[what: string, other: Partial<Owner>]>([
    ['machine', { host: 'elsewhere' }],
    ['start of this machine', { boot: '00000000-0000-0000-0000-000000000000' }],
    ['kind of machine, which tells no start', { boot: undefined }],
    ['namespace of processes', { pidNamespace: 'pid:[1]' }],
  ])('of another %s is not judged', async (_what, other) => {
    expect(await isGone({ ...(await thisOwner()), pid: await deadPid(), ...other })).toBe(false)
  })

  it('that nobody could have written is none', () => {
    for (const label of [
      undefined,
      '',
      'x',
      'null',
      '{}',
      '{"host":"a","pid":-1}',
      '{"host":"a","pid":"1"}',
      '{"host":1,"pid":1}',
    ])
      expect(parseOwner(label)).toBeUndefined()
  })
})
