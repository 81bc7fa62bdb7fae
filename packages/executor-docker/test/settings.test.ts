import { describe, expect, it } from 'vitest'
import type { DockerOptions } from '../src/docker-options.ts'
import { checkSettings } from '../src/settings.ts'

const MB = 1024 ** 2

const invalid = (options: DockerOptions, message: RegExp) =>
  expect(() => checkSettings(options)).toThrow(
    expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringMatching(message) }),
  )

describe('checkSettings', () => {
  it('fills in the defaults', () => {
    expect(checkSettings({})).toEqual({
      memory: 512 * MB,
      cpus: 1,
      processes: 256,
      files: 1024,
      disk: 256 * MB,
      temporary: 64 * MB,
      user: { uid: 65534, gid: 65534 },
      network: 'none',
      env: {},
      mounts: [],
      workspace: undefined,
    })
  })

  it('gives a small memory a small disk', () => {
    expect(checkSettings({ limits: { memory: '64m' } })).toMatchObject({ disk: 32 * MB, temporary: 8 * MB })
  })

  it('reads a user with and without a group', () => {
    expect(checkSettings({ user: '1000' }).user).toEqual({ uid: 1000, gid: 1000 })
    expect(checkSettings({ user: '1000:50' }).user).toEqual({ uid: 1000, gid: 50 })
  })

  it.each<[DockerOptions, RegExp]>([
    [{ limits: { memory: '5m' } }, /limits\.memory must be at least 6m/],
    [{ limits: { memory: 'much' } }, /limits\.memory/],
    [{ limits: { cpus: 0 } }, /limits\.cpus/],
    [{ limits: { cpus: Number.NaN } }, /limits\.cpus/],
    [{ limits: { cpus: Number.POSITIVE_INFINITY } }, /limits\.cpus/],
    [{ limits: { processes: 0 } }, /limits\.processes/],
    [{ limits: { processes: -1 } }, /limits\.processes/],
    [{ limits: { processes: 20.5 } }, /limits\.processes/],
    [{ limits: { files: 3 } }, /limits\.files/],
    [{ limits: { memory: '64m', disk: '65m' } }, /limits\.disk must be within limits\.memory/],
    [{ user: 'root' }, /user must be the numbers/],
    [{ user: '1:2:3' }, /user must be/],
    [{ user: '' }, /user must be/],
    [{ env: { 'A=B': 'x' } }, /env must be/],
    [{ env: { A: 'x\0y' } }, /env must be/],
  ])('refuses %j', invalid)

  it('refuses what a container cannot do', () => {
    expect(() => checkSettings({ network: { allow: ['example.com'] } })).toThrow(
      expect.objectContaining({ code: 'OPTION_UNSUPPORTED' }),
    )
    expect(() => checkSettings({ workspace: { mount: '/srv' }, limits: { disk: '10m' } })).toThrow(
      expect.objectContaining({ code: 'OPTION_UNSUPPORTED' }),
    )
  })
})
