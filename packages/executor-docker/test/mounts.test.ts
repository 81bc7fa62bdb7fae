import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkMounts, workspaceMount } from '../src/mounts.ts'

const refusal = (message: RegExp) =>
  expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringMatching(message) })

let folder: string
const server = createServer()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codeact-mounts-'))
  await symlink('/var/run', join(folder, 'innocent'))
  await new Promise<void>((resolve) => server.listen(join(folder, 'any'), resolve))
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

describe('mounts', () => {
  it('are read-only unless they say otherwise', () => {
    expect(checkMounts({ '/data': '/srv/data', '/out/': { source: '/srv/out', writable: true } })).toEqual([
      { source: '/srv/data', target: '/data', writable: false },
      { source: '/srv/out', target: '/out', writable: true },
    ])
    expect(workspaceMount({ mount: '/srv' })).toEqual({ source: '/srv', target: '/workspace', writable: false })
    expect(workspaceMount({ mount: 'C:\\work', writable: true })).toMatchObject({ writable: true })
  })

  it.each(['data', '', './data', '/da\0ta'])('refuse the path %j inside', (target) => {
    expect(() => checkMounts({ [target]: '/srv' })).toThrow(refusal(/not an absolute path inside/))
  })

  it.each([
    '/',
    '/workspace',
    '/workspace/',
    '/data/../tmp',
    '/proc',
    '/proc/sys',
    '/sys/fs/cgroup',
    '/dev/shm',
    '/etc',
  ])('leave %s alone', (target) => {
    expect(() => checkMounts({ [target]: '/srv' })).toThrow(refusal(/cannot be covered/))
  })

  it.each(['data', '', '~/data', '../x', '/x\0y'])('refuse the source %j', (source) => {
    expect(() => checkMounts({ '/data': source })).toThrow(refusal(/not an absolute path on the host/))
    expect(() => workspaceMount({ mount: source })).toThrow(refusal(/^docker\(\): workspace\.mount/))
  })

  it.each([
    '/var/run/docker.sock',
    '/run/docker.sock',
    '/var/run',
    '/run/',
    '/run/../run',
    '/',
    '/run/containerd',
    '/home/me/.docker/run/docker.sock',
    '/run/user/1000/podman/podman.sock',
  ])('give no way to Docker by %s', (source) => {
    expect(() => checkMounts({ '/data': source })).toThrow(refusal(/leads to the socket of Docker/))
    expect(() => workspaceMount({ mount: source })).toThrow(refusal(/leads to the socket of Docker/))
  })

  it('give none by a link, nor by a socket of any name', () => {
    expect(() => checkMounts({ '/data': join(folder, 'innocent') })).toThrow(refusal(/leads to the socket/))
    expect(() => checkMounts({ '/data': join(folder, 'any') })).toThrow(refusal(/leads to the socket/))
    expect(checkMounts({ '/data': folder })).toHaveLength(1)
  })
})
