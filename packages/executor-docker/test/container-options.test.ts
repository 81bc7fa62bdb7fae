import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContainerInspectInfo } from 'dockerode'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DockerOptions } from '../src/docker-options.ts'
import { resolveImage } from '../src/image.ts'
import { containersLeft, engine, MARK, plan, python, start } from './containers.ts'
import { docker, IMAGE } from './requirements.ts'

const MB = 1024 ** 2
const LOCKED = 'noexec,nosuid,nodev'

async function inspect(options: DockerOptions = {}): Promise<ContainerInspectInfo> {
  const { container } = await start(['sleep', '600'], options)
  const found = await (await engine()).getContainer(container.id).inspect()
  await container.close()
  return found
}

describe.skipIf(!docker.isMet)(`a container as inspect shows it ${docker.reason}`, () => {
  let found: ContainerInspectInfo
  let host: ContainerInspectInfo['HostConfig']
  beforeAll(async () => {
    const name = 'from-before-all'
    const created = await (await engine()).createContainer({ ...(await plan(['true'])), name: `${name}-${MARK}` })
    found = await created.inspect()
    host = found.HostConfig
    await created.remove()
  })

  it('has no rights, and no way to get any', () => {
    expect(found.Config.User).toBe('65534:65534')
    expect(host).toMatchObject({ Privileged: false, CapDrop: ['ALL'], ReadonlyRootfs: true })
    expect(host.CapAdd ?? []).toEqual([])
    // A filter of system calls other than Docker's own would be listed here.
    expect(host.SecurityOpt).toEqual(['no-new-privileges'])
    expect(host.MaskedPaths).toContain('/proc/kcore')
    expect(host.ReadonlyPaths).toContain('/proc/sys')
  })

  it('has no network, and nothing of the host', () => {
    expect(host.NetworkMode).toBe('none')
    expect(host.PortBindings ?? {}).toEqual({})
    expect(host.PublishAllPorts).toBe(false)
    expect([host.PidMode, host.IpcMode, host.UTSMode]).toEqual(['', 'private', ''])
    expect([host.Binds ?? [], host.Devices ?? [], host.VolumesFrom ?? [], found.Mounts]).toEqual([[], [], [], []])
  })

  it('is limited in all that it could use up', () => {
    expect(host).toMatchObject({
      Memory: 512 * MB,
      MemorySwap: 512 * MB,
      NanoCpus: 1e9,
      PidsLimit: 256,
      ShmSize: 64 * MB,
    })
    expect(host.OomKillDisable ?? false).toBe(false)
    expect(host.Ulimits).toEqual(
      expect.arrayContaining([
        { Name: 'nofile', Soft: 1024, Hard: 1024 },
        { Name: 'fsize', Soft: 256 * MB, Hard: 256 * MB },
        { Name: 'core', Soft: 0, Hard: 0 },
      ]),
    )
    expect(host.LogConfig?.Type).toBe('none')
  })

  it('can write to memory of a limited size only, and run nothing there', () => {
    expect(Object.keys(host.Tmpfs ?? {}).sort()).toEqual(['/forks', '/tmp', '/workspace'])
    for (const path of ['/workspace', '/forks']) {
      expect(host.Tmpfs?.[path]).toMatch(
        new RegExp(`${LOCKED},size=${256 * MB},nr_inodes=65536,mode=0700,uid=65534,gid=65534$`),
      )
    }
    expect(host.Tmpfs?.['/tmp']).toMatch(new RegExp(`${LOCKED},size=${64 * MB},nr_inodes=16384,mode=1777`))
  })

  it('is known by its owner, and goes by itself', async () => {
    expect(host).toMatchObject({ Init: true, AutoRemove: true })
    expect(host.RestartPolicy?.Name ?? '').toMatch(/^(no)?$/)
    expect(JSON.parse(found.Config.Labels['codeact.owner'] ?? '')).toMatchObject({ pid: process.pid })
    expect(found.Config.Labels['codeact.sandbox']).toBe(MARK)
    expect(found.Image).toBe((await resolveImage(await engine(), IMAGE)).id)
    expect(found.Config).toMatchObject({ OpenStdin: true, StdinOnce: true, Tty: false, WorkingDir: '/workspace' })
  })

  it('takes what the options say', async () => {
    const limits = { memory: '128m', cpus: 0.5, processes: 20, files: 299, disk: '5m' }
    const { HostConfig, Config } = await inspect({ limits, user: '1234:99', env: { A: 'b=c' }, network: 'full' })
    expect(HostConfig).toMatchObject({ Memory: 128 * MB, MemorySwap: 128 * MB, NanoCpus: 5e8, PidsLimit: 20 })
    expect(HostConfig.NetworkMode).not.toBe('none')
    expect(HostConfig.Tmpfs?.['/workspace']).toMatch(/size=5242880,.*uid=1234,gid=99$/)
    expect(Config.User).toBe('1234:99')
    expect(Config.Env).toContain('A=b=c')
    expect(await containersLeft()).toEqual([])
  })
})

describe.skipIf(!docker.isMet)(`inside a container ${docker.reason}`, () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'codeact-mount-'))
    await mkdir(join(folder, 'inner'))
    await writeFile(join(folder, 'data.txt'), 'from the host')
    await chmod(folder, 0o777)
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('the code is nobody, at home in an empty folder that it can write to', async () => {
    const code = `import os, socket
open('file', 'w').write('x')
open('/tmp/file', 'w').write('x')
print(os.getuid(), os.getgid(), os.getgroups(), os.getcwd(), os.environ['HOME'], os.listdir(), socket.gethostname())`
    expect(await python(code)).toMatch(/^65534 65534 \[(65534)?\] \/workspace \/workspace \['file'\] sandbox$/)
  })

  it.each(['/etc/x', '/x', '/usr/bin/x', '/var/x', '/run/x'])('it cannot write %s', async (path) => {
    expect(await python(`open('${path}', 'w')`)).toMatch(/Read-only file system|Permission denied/)
  })

  it('a full disk and a flood of files are what they are elsewhere', async () => {
    const code = `import errno
def fails(what):
    try: what()
    except OSError as error: return errno.errorcode[error.errno]
def fill():
    with open('big', 'wb', 0) as file:
        while True: file.write(b'x' * 65536)
def flood():
    for n in range(100_000): open(f'/tmp/{n}', 'w').close()
print(fails(fill), fails(flood))`
    expect(await python(code, { limits: { disk: '4m' } })).toBe('ENOSPC ENOSPC')
  })

  it('a folder of the host can be read, and not written unless that was said', async () => {
    const code = `print(open('/data/data.txt').read())
try: open('/data/x', 'w')
except OSError as error: print(error.strerror)
open('/out/new.txt', 'w').write('from inside')`
    const mounts = { '/data': folder, '/out': { source: folder, writable: true } }
    expect(await python(code, { mounts })).toBe('from the host\nRead-only file system')
    expect(await readFile(join(folder, 'new.txt'), 'utf8')).toBe('from inside')
  })

  it('a folder of the host can be the working directory', async () => {
    const code = `import os
print(os.getcwd(), 'data.txt' in os.listdir(), os.access('.', os.W_OK), os.environ['HOME'])`
    expect(await python(code, { workspace: { mount: folder } })).toBe('/workspace True False /tmp')
    expect(await python(code, { workspace: { mount: folder, writable: true } })).toBe('/workspace True True /workspace')
  })

  it('a folder can be mounted into the working directory', async () => {
    const mounts = { '/workspace/data': folder }
    expect(await python(`print(open('data/data.txt').read())`, { mounts })).toBe('from the host')
  })

  it('a volume that the image declares is no way to the disk of the host', async () => {
    const name = `codeact-volume-${process.pid}`
    const made = await (await engine()).createContainer({ Image: IMAGE, Cmd: ['true'] })
    await made.commit({ repo: name, changes: 'VOLUME ["/store"]' })
    await made.remove()
    try {
      const code = `print([line.split()[2] for line in open('/proc/mounts') if line.split()[1] == '/store'])`
      expect(await python(code, { image: name })).toBe("['tmpfs']")
      const { Mounts } = await inspect({ image: name })
      expect(Mounts).toEqual([])
    } finally {
      await (await engine()).getImage(name).remove()
    }
  })
})
