import { describe, expect, it } from 'vitest'
import type { DockerOptions } from '../src/docker-options.ts'
import { checkEngine, inspectEngine } from '../src/engine.ts'
import { checkSettings } from '../src/settings.ts'
import { engine } from './containers.ts'
import { fakeDaemon, json } from './fake-daemon.ts'
import { docker } from './requirements.ts'

const ABLE = {
  ...{ OSType: 'linux', NCPU: 2, SecurityOptions: ['name=apparmor', 'name=seccomp,profile=default'] },
  ...{ MemoryLimit: true, SwapLimit: true, CpuCfsQuota: true, PidsLimit: true },
}

async function check(info: object, options: DockerOptions = {}) {
  const daemon = await fakeDaemon({ 'GET /info': json({ ...ABLE, ...info }) })
  return checkEngine(await inspectEngine(daemon.docker), options, checkSettings(options))
}

describe('checkEngine', () => {
  it('has nothing to say of a Docker that keeps all promises', async () => {
    expect(await check({})).toEqual([])
  })

  it.each([
    ['limits.memory', { MemoryLimit: false, SwapLimit: false }],
    ['limits.memory', { SwapLimit: false }],
    ['limits.cpus', { CpuCfsQuota: false }],
    ['limits.processes', { PidsLimit: false }],
    ['isolation.system-calls', { SecurityOptions: ['name=seccomp,profile=unconfined'] }],
    ['isolation.system-calls', { SecurityOptions: null }],
  ])('declares %s for %j', async (promise, info) => {
    expect(await check(info)).toEqual([{ promise, reason: expect.stringMatching(/Docker/) }])
  })

  it('refuses a limit that was asked for and would be forgotten', async () => {
    const checking = check({ MemoryLimit: false }, { limits: { memory: '1g' } })
    await expect(checking).rejects.toMatchObject({
      code: 'OPTION_UNSUPPORTED',
      message: expect.stringMatching(/limits\.memory/),
    })
  })

  it('refuses more processors than there are', async () => {
    await expect(check({}, { limits: { cpus: 3 } })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: "docker(): limits.cpus must be at most 2, which is what Docker's machine has.",
    })
  })
})

describe('inspectEngine', () => {
  it('refuses Windows containers', async () => {
    await expect(check({ OSType: 'windows' })).rejects.toMatchObject({ code: 'EXECUTOR_UNAVAILABLE' })
  })

  it('does not wait for ever', async () => {
    const { docker } = await fakeDaemon({})
    await expect(inspectEngine(docker, undefined, 200)).rejects.toMatchObject({ code: 'EXECUTOR_UNAVAILABLE' })
    await expect(inspectEngine(docker, AbortSignal.abort('enough'))).rejects.toBe('enough')
  })

  it.skipIf(!docker.isMet)(`reads what a real one says ${docker.reason}`, async () => {
    const { cpus } = await inspectEngine(await engine())
    expect(cpus).toBeGreaterThan(0)
  })
})
