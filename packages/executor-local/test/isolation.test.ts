import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '@codeact/spec'
import { afterEach, describe, expect, it } from 'vitest'
import { type LocalOptions, local } from '../src/index.ts'
import { chooseIsolation } from '../src/isolation.ts'
import { findOnPath } from '../src/which.ts'
import { evaluate } from './evaluate.ts'
import { bubblewrap } from './requirements.ts'

const boxes: Sandbox[] = []
const folders: string[] = []

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'codeact-test-'))
  folders.push(folder)
  return folder
}

async function open(options: LocalOptions = {}): Promise<Sandbox> {
  const sandbox = await local(options).open()
  boxes.push(sandbox)
  return sandbox
}

afterEach(async () => {
  await Promise.all(boxes.splice(0).map((sandbox) => sandbox.close()))
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })))
})

describe.skipIf(!bubblewrap.isMet)(`inside bubblewrap ${bubblewrap.reason}`, () => {
  it('the code is nobody in particular, and can never be more', async () => {
    const sandbox = await open()
    const status =
      'dict(line.split(":\\t") for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)'
    expect(await evaluate(sandbox, 'import os\nos.getuid(), os.geteuid()')).toBe('(1000, 1000)')
    expect(await evaluate(sandbox, `s = ${status}\ns["CapEff"], s["CapBnd"], s["NoNewPrivs"]`)).toBe(
      "('0000000000000000', '0000000000000000', '1')",
    )
    expect(
      await evaluate(sandbox, 'import subprocess\nsubprocess.run(["unshare", "-U", "true"]).returncode != 0'),
    ).toBe('True')
  })

  it('the system is read-only, and the working directory is private', async () => {
    const sandbox = await open()
    expect(await evaluate(sandbox, 'open("/usr/x", "w")')).toMatch(/Read-only file system|Permission denied/)
    expect(await evaluate(sandbox, 'import os\nos.getcwd(), os.path.expanduser("~"), os.listdir(".")')).toBe(
      "('/workspace', '/workspace', [])",
    )
    expect(
      await evaluate(
        sandbox,
        'sorted(set(os.listdir("/")) - {"usr", "lib", "lib64", "lib32", "libx32", "bin", "sbin"})',
      ),
    ).not.toMatch(/home|var|srv|mnt|media/)
  })

  it('memory that looks like a disk has a size', async () => {
    const sandbox = await open()
    for (const folder of ['/tmp', '/dev/shm']) {
      const fill = `file = open("${folder}/full", "wb")\nfor _ in range(400): file.write(b"x" * 2 ** 20)`
      expect(await evaluate(sandbox, fill)).toMatch(/No space left on device/)
      await evaluate(sandbox, `file.close()\nimport os\nos.remove("${folder}/full")`)
    }
    expect(await evaluate(sandbox, 'open("/x", "w")')).toMatch(/Read-only file system/)
  })

  it('the settings of the system cannot be written, also when the host is root', async () => {
    const sandbox = await open()
    const code =
      'import os\n[name for name in ("core_pattern", "hostname") if os.access("/proc/sys/kernel/" + name, os.W_OK)]'
    expect(await evaluate(sandbox, code)).toBe('[]')
  })

  it('no descriptor of the host is open', async () => {
    const sandbox = await open()
    const names = await evaluate(
      sandbox,
      'import os\nsorted({os.readlink(f"/proc/self/fd/{n}").split(":")[0] for n in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{n}")})',
    )
    expect(names).toBe("['/dev/null', 'socket']")
  })

  it('host folders are there when asked for, read-only unless said otherwise', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'data.txt'), 'from the host')
    const sandbox = await open({ mounts: { '/data': folder, '/out': { source: folder, writable: true } } })
    expect(await evaluate(sandbox, 'open("/data/data.txt").read()')).toBe("'from the host'")
    expect(await evaluate(sandbox, 'open("/data/new", "w")')).toMatch(/Read-only/)
    expect(await evaluate(sandbox, 'open("/out/new", "w").write("x")')).toBe('1')
  })

  it('the network is there only when asked for', async () => {
    const server = createServer((_request, response) => response.end('hello'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
    const fetch = `import urllib.request\nurllib.request.urlopen("${url}").read()`
    expect(await evaluate(await open(), fetch)).toMatch(/URLError/)
    expect(await evaluate(await open({ network: 'full' }), fetch)).toBe("b'hello'")
    server.close()
  })

  it('variables of the environment are those of the option env', async () => {
    const sandbox = await open({ env: { GREETING: 'hi' } })
    expect(await evaluate(sandbox, 'import os\nos.environ["GREETING"], "CODEACT_REQUIRE" in os.environ')).toBe(
      "('hi', False)",
    )
  })

  it("modules in the working directory are the code's own affair, not the kernel's", async () => {
    const sandbox = await open()
    await sandbox.files.write('values.py', 'mine = 5')
    await sandbox.files.write('json.py', 'raise SystemExit("hijacked")')
    await evaluate(sandbox, 'import os\nos._exit(1)')
    expect(await evaluate(sandbox, 'import sys\nsys.path.insert(0, "/workspace")\nimport values\nvalues.mine')).toBe(
      '5',
    )
  })
})

describe('where bubblewrap is missing or refused', () => {
  const { PATH } = process.env

  afterEach(() => {
    process.env.PATH = PATH
  })

  it.skipIf(process.platform !== 'linux')('says how to install it, and does not run the code without', async () => {
    process.env.PATH = await pathWithout()
    await expect(open()).rejects.toMatchObject({
      code: 'EXECUTOR_UNAVAILABLE',
      message: expect.stringContaining('not installed'),
      hint: expect.stringMatching(/apt-get install bubblewrap[\s\S]*wasm\(\)[\s\S]*isolation: 'none'/),
    })
  })

  it.skipIf(process.platform !== 'linux')('says what to allow when the system refuses it', async () => {
    process.env.PATH = await pathWithout(
      '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n',
    )
    await expect(open()).rejects.toMatchObject({
      code: 'EXECUTOR_UNAVAILABLE',
      message: expect.stringContaining('No permissions to create new namespace'),
      hint: expect.stringMatching(/wasm\(\).*isolation: 'none'/),
    })
  })

  /** A PATH with a Python and nothing else, or with something else for bubblewrap. */
  async function pathWithout(bwrap?: string): Promise<string> {
    const folder = await temporaryFolder()
    for (const name of ['python3', 'sh', 'bash', 'env']) {
      const found = findOnPath(name)
      if (found !== undefined) await symlink(found, join(folder, name))
    }
    if (bwrap !== undefined) await writeFile(join(folder, 'bwrap'), bwrap, { mode: 0o755 })
    return folder
  }
})

describe('the isolation of a system', () => {
  it('is Seatbelt on macOS, and says that nobody has verified it', async () => {
    const isolation = await chooseIsolation(undefined, 'darwin', process.execPath)
    expect(isolation).toMatchObject({ name: 'seatbelt', notice: expect.stringContaining('nobody has verified') })
    expect((await chooseIsolation('seatbelt', 'darwin', process.execPath)).name).toBe('seatbelt')
  })

  it('is not made up where it is missing', async () => {
    for (const [platform, program] of [
      ['darwin', '/no/such/sandbox-exec'],
      ['freebsd', ''],
      ['win32', ''],
    ] as const) {
      await expect(chooseIsolation(undefined, platform, program)).rejects.toMatchObject({
        code: 'EXECUTOR_UNAVAILABLE',
        hint: expect.stringContaining('wasm()'),
      })
    }
  })

  it('cannot be that of another system', async () => {
    for (const [wanted, platform, own] of [
      ['seatbelt', 'linux', 'bubblewrap'],
      ['bubblewrap', 'darwin', 'seatbelt'],
    ] as const) {
      await expect(chooseIsolation(wanted, platform, process.execPath)).rejects.toMatchObject({
        code: 'OPTION_UNSUPPORTED',
        message: expect.stringContaining(wanted),
        hint: expect.stringContaining(own),
      })
    }
  })
})

describe('options', () => {
  it('that cannot be honoured are refused before anything starts', async () => {
    for (const options of [{ network: { allow: ['x'] } }, { mounts: { '/data': '/' } }] satisfies LocalOptions[]) {
      await expect(open({ ...options, isolation: 'none' })).rejects.toMatchObject({ code: 'OPTION_UNSUPPORTED' })
    }
  })

  it('that name no Python say so', async () => {
    await expect(open({ isolation: 'none', python: '/no/such/python' })).rejects.toMatchObject({
      code: 'EXECUTOR_UNAVAILABLE',
      message: expect.stringContaining('/no/such/python'),
    })
  })
})
