import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Place } from '../src/isolation.ts'
import { checkLimits } from '../src/limits/settings.ts'
import type { LocalOptions } from '../src/local.ts'
import { seatbeltCommand } from '../src/seatbelt.ts'
import { permits, readRules } from './seatbelt-reader.ts'

// The folders are real ones: what leads where is asked of the system.
let root: string
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'codeact-test-')))
  for (const name of [
    'box/workspace',
    'box/tmp',
    'python/bin',
    'python/lib',
    'data',
    'data-two',
    'elsewhere',
    'odd/plain',
  ])
    await mkdir(join(root, name), { recursive: true })
  await writeFile(join(root, 'python/bin/python3.12'), '')
  await symlink('python', join(root, 'python-3'))
  await symlink(join(root, 'python-3/bin/python3.12'), join(root, 'elsewhere/python3'))
})
afterAll(() => rm(root, { recursive: true }))

const at = (...parts: string[]): string => join(root, ...parts)

const START = { arguments: ['-I', '-S', '-c', 'import os'], input: Buffer.from('kernel') }
const KERNEL = { start: () => START, startOfFork: () => START }

function place(options: LocalOptions = {}, more: Partial<Place> = {}): Place {
  const interpreter = { path: at('python/bin/python3.12'), version: '3.12.1', prefixes: [at('python')], ...KERNEL }
  const folders = { workspace: at('box/workspace'), temporary: at('box/tmp'), forks: at('box/forks') }
  return { interpreter, start: START, isKept: false, ...folders, limits: checkLimits(options), options, ...more }
}

const command = (options?: LocalOptions, more?: Partial<Place>) =>
  seatbeltCommand('/usr/bin/sandbox-exec', place(options, more))

const rules = (options?: LocalOptions, more?: Partial<Place>) => readRules(command(options, more).args)

/** The profile's own text. */
const text = (options?: LocalOptions, more?: Partial<Place>) => command(options, more).args[1] ?? ''

describe('the command', () => {
  it('runs the kernel inside sandbox-exec, by its real path', () => {
    const { file, args, cwd } = command()
    expect(file).toBe('/usr/bin/sandbox-exec')
    expect(args.slice(args.indexOf('--') + 1)).toEqual([
      ...[at('python/bin/python3.12'), '-I', '-S', '-c', 'import os'],
    ])
    expect(cwd).toBe(at('box/workspace'))
  })

  it('gives the code nothing of the environment, and a place of its own for temporary files', () => {
    process.env.CODEACT_TEST_SENTINEL = 'of the host'
    const { env } = command({ env: { GREETING: 'hi' } })
    delete process.env.CODEACT_TEST_SENTINEL
    expect(env).toMatchObject({ HOME: at('box/workspace'), TMPDIR: at('box/tmp'), GREETING: 'hi' })
    expect(Object.values(env)).not.toContain('of the host')
    expect(command({ env: { TMPDIR: '/mine' } }).env.TMPDIR).toBe('/mine')
  })

  it('is the same for the same place', () => {
    expect(command({ network: 'full' })).toEqual(command({ network: 'full' }))
  })
})

describe('the profile', () => {
  it('denies what it does not name, to begin with', () => {
    expect(rules().forms.slice(0, 2)).toEqual([
      ['version', '1'],
      ['deny', 'default'],
    ])
    for (const operation of [
      'file-read-data',
      'file-write-data',
      'mach-lookup',
      'system-socket',
      'nvram-set',
      'iokit-open',
    ])
      expect(permits(rules(), operation, 'anything')).toBe(false)
  })

  it('has no rule that holds for everything, but that processes may be made and files have no second name', () => {
    const unbounded = rules().forms.filter((form) => form.slice(2).every((word) => typeof word === 'string'))
    expect(unbounded).toEqual([
      ['version', '1'],
      ['deny', 'default'],
      ['allow', 'process-fork'],
      ['deny', 'file-link'],
    ])
  })

  it('names every parameter that it is given, and is given every one that it names', () => {
    const full = place({ network: 'full', mounts: { [at('data')]: { source: at('data'), writable: true } } })
    const { args } = seatbeltCommand('sandbox-exec', full)
    const named = new Set([...(args[1] ?? '').matchAll(/\(param "(\w+)"\)/g)].map(([, name]) => name))
    expect(named).toEqual(new Set(readRules(args).parameters.keys()))
  })

  it('lets the code write its own folders and nothing else', () => {
    for (const path of [at('box/workspace/x/y'), at('box/workspace'), at('box/tmp/x')]) {
      for (const operation of ['file-write-create', 'file-write-data', 'file-write-unlink', 'file-read-data'])
        expect(permits(rules(), operation, path), `${operation} ${path}`).toBe(true)
    }
    const others = [
      at('box/workspace-two/x'),
      at('python/lib/x'),
      at('data/x'),
      at('box'),
      '/tmp/x',
      '/private/tmp/x',
      '/usr/lib/x',
    ]
    for (const path of [...others, join(homedir(), 'x'), '/dev/random', '/dev/disk0'])
      for (const operation of ['file-write-create', 'file-write-data', 'file-write-unlink', 'file-write-mode'])
        expect(permits(rules(), operation, path), `${operation} ${path}`).toBe(false)
  })

  it('lets the code read and run the system and the interpreter', () => {
    const paths = ['/usr/lib/libz.dylib', '/System/Library/x', '/opt/homebrew/opt/openssl@3', at('python/lib/x.so')]
    for (const path of paths) {
      for (const operation of ['file-read-data', 'file-map-executable', 'process-exec'])
        expect(permits(rules(), operation, path), `${operation} ${path}`).toBe(true)
    }
    for (const path of ['/', '/dev/null', '/dev/urandom', '/private/var/db/timezone/x', '/dev/fd/1'])
      expect(permits(rules(), 'file-read-data', path), path).toBe(true)
    expect(permits(rules(), 'file-write-data', '/dev/null')).toBe(true)
  })

  it('hides the home folder, the settings of the system, and the data of its programs', () => {
    const home = homedir()
    const paths = [
      home,
      join(home, '.ssh/id_rsa'),
      '/Users/me',
      '/Users/me/.aws/credentials',
      '/private/etc/passwd',
      '/etc/passwd',
    ]
    const data = [
      '/opt/homebrew/var/postgres',
      '/usr/local/etc/my.cnf',
      '/Library/Keychains/System.keychain',
      '/Volumes/disk',
    ]
    const firmlink = ['/System/Volumes/Data/Users/me/.ssh/id_rsa', '/private/var/folders/ab/cd/T/other']
    for (const path of [...paths, ...data, ...firmlink, at('data/x'), '/private/tmp'])
      for (const operation of ['file-read-data', 'process-exec', 'file-map-executable'])
        expect(permits(rules(), operation, path), `${operation} ${path}`).toBe(false)
    expect(permits(rules(), 'file-read-metadata', join(home, '.ssh'))).toBe(false)
  })

  it('lets paths be followed to where they lead, without a look around', () => {
    const linked = { path: at('elsewhere/python3'), version: '3.12.1', prefixes: [at('python')], ...KERNEL }
    const all = rules({}, { interpreter: linked })
    for (const path of [
      at('elsewhere/python3'),
      at('python-3'),
      at('elsewhere'),
      root,
      dirname(root),
      '/private/var',
      '/var',
      '/usr',
    ]) {
      expect(permits(all, 'file-read-metadata', path), path).toBe(true)
      expect(permits(all, 'file-read-data', path), path).toBe(false)
    }
    expect(permits(all, 'file-read-metadata', at('elsewhere/other'))).toBe(false)
    expect(permits(rules(), 'file-read-metadata', at('python-3'))).toBe(false)
  })

  it('makes no file writable by a second name', () => {
    expect(permits(rules(), 'file-link', at('python/lib/x'))).toBe(false)
    expect(permits(rules(), 'file-link', at('box/workspace/x'))).toBe(true)
  })

  it('keeps to the processes of the sandbox', () => {
    for (const operation of ['signal', 'process-info-pidinfo']) {
      expect(permits(rules(), operation, 'same-sandbox'), operation).toBe(true)
      expect(permits(rules(), operation, 'others'), operation).toBe(false)
    }
    for (const name of ['kern.procargs2', 'kern.proc.all', 'kern.proc.pid.1'])
      expect(permits(rules({ network: 'full' }), 'sysctl-read', name), name).toBe(false)
    for (const name of ['hw.ncpu', 'kern.osrelease', 'kern.hostname'])
      expect(permits(rules(), 'sysctl-read', name), name).toBe(true)
    expect(permits(rules(), 'ipc-posix-sem', '/mp-abcd')).toBe(true)
    expect(permits(rules(), 'ipc-posix-sem', '/of-the-host')).toBe(false)
    expect(permits(rules(), 'ipc-posix-shm-read-data', '/psm_abcd')).toBe(false)
  })
})

describe('the network', () => {
  const operations = ['network-outbound', 'network-inbound', 'network-bind']

  it('is not there unless it is asked for', () => {
    for (const options of [{}, { network: 'none' }] satisfies LocalOptions[]) {
      for (const operation of operations) expect(permits(rules(options), operation, 'ip')).toBe(false)
      expect(text(options)).not.toMatch(/network|mach-lookup|socket/)
    }
    for (const operation of operations) expect(permits(rules({ network: 'full' }), operation, 'ip')).toBe(true)
  })

  it('has no way to the sockets of other programs, apart from the one that resolves names', () => {
    const socket = (path: string) => permits(rules({ network: 'full' }), 'network-outbound', `unix-socket ${path}`)
    expect(socket('/private/var/run/mDNSResponder')).toBe(true)
    expect(socket('/private/var/run/docker.sock')).toBe(false)
    expect(socket(at('box/workspace/agent.sock'))).toBe(false)
  })

  it('brings certificates and the services that know addresses, and no other service', () => {
    const full = rules({ network: 'full' })
    expect(permits(full, 'file-read-data', '/private/etc/ssl/cert.pem')).toBe(true)
    expect(permits(full, 'file-read-data', '/private/etc/ssl/private/key.pem')).toBe(false)
    expect(permits(full, 'mach-lookup', 'com.apple.SystemConfiguration.DNSConfiguration')).toBe(true)
    for (const name of ['com.apple.SecurityServer', 'com.apple.pasteboard.1', 'com.apple.coreservices.launchservicesd'])
      expect(permits(full, 'mach-lookup', name), name).toBe(false)
  })
})

describe('mounts', () => {
  it('are read-only unless they are writable', () => {
    const mounts = { [at('data')]: at('data'), [at('data-two')]: { source: at('data-two'), writable: true } }
    const both = rules({ mounts })
    expect(permits(both, 'file-read-data', at('data/x'))).toBe(true)
    expect(permits(both, 'file-write-data', at('data/x'))).toBe(false)
    expect(permits(both, 'file-read-data', at('data-two/x'))).toBe(true)
    expect(permits(both, 'file-write-data', at('data-two/x'))).toBe(true)
    expect(permits(both, 'file-link', at('data-two/x'))).toBe(false)
    expect(permits(both, 'file-write-data', at('elsewhere/x'))).toBe(false)
  })

  it('may be named by a link, and are where it leads', () => {
    const linked = rules({ mounts: { [at('python-3')]: { source: at('python'), writable: true } } })
    expect(permits(linked, 'file-write-data', at('python/x'))).toBe(true)
    expect(permits(linked, 'file-read-metadata', at('python-3'))).toBe(true)
  })

  it('cannot have another path inside', () => {
    expect(() => command({ mounts: { '/data': at('data') } })).toThrow(
      expect.objectContaining({
        code: 'OPTION_UNSUPPORTED',
        message: expect.stringContaining(`cannot show ${at('data')} as /data`),
        hint: expect.stringContaining(JSON.stringify(at('data'))),
      }),
    )
  })

  it('must be there', () => {
    expect(() => command({ mounts: { [at('nowhere')]: at('nowhere') } })).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringContaining(at('nowhere')) }),
    )
  })
})

describe('a path', () => {
  it.for([
    'with space',
    'quote"s',
    "tick's",
    'brackets)(',
    ') (allow default) (',
    'new\nline',
    'semi;colon',
    'back\\slash',
    'a=b',
    'ümlaut',
    '-D',
  ])('can say nothing but where it is: %j', async (name) => {
    const folder = at('odd', name)
    await mkdir(folder, { recursive: true })
    const odd = { workspace: folder }
    expect(text({}, odd)).toBe(text({}, { workspace: at('odd/plain') }))
    const read = rules({}, odd)
    expect(read.parameters.get('WORKSPACE')).toBe(folder)
    expect(permits(read, 'file-write-data', join(folder, 'x'))).toBe(true)
    expect(permits(read, 'file-write-data', at('odd/x'))).toBe(false)
  })
})

it('a Python that was made right in the home folder is refused: it would bring all of that with it', () => {
  for (const prefix of ['/', dirname(homedir()), homedir()]) {
    const interpreter = { path: join(prefix, 'bin/python3'), version: '3.12.1', prefixes: [prefix], ...KERNEL }
    expect(() => command({}, { interpreter }), prefix).toThrow(
      expect.objectContaining({ code: 'EXECUTOR_UNAVAILABLE', hint: expect.stringContaining('-m venv') }),
    )
  }
})
