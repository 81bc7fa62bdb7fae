import { access, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '@codeact/spec'
import { afterEach, describe, expect, it } from 'vitest'
import { type LocalOptions, local } from '../src/index.ts'
import { evaluate } from './evaluate.ts'
import { seatbelt } from './requirements.ts'

const boxes: Sandbox[] = []
const folders: string[] = []

afterEach(async () => {
  await Promise.all(boxes.splice(0).map((sandbox) => sandbox.close()))
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })))
})

async function open(options: LocalOptions = {}): Promise<Sandbox> {
  const sandbox = await local(options).open()
  boxes.push(sandbox)
  return sandbox
}

async function folderIn(parent: string): Promise<string> {
  const folder = await realpath(await mkdtemp(join(parent, '.codeact-test-')))
  folders.push(folder)
  return folder
}

/** Which of these, as Python expressions, can be done inside. */
async function possible(sandbox: Sandbox, expressions: readonly string[]): Promise<string | undefined> {
  const attempts = expressions.map((expression) => `(${JSON.stringify(expression)}, lambda: ${expression})`).join(', ')
  const code = [
    'import os, signal, socket, subprocess, sys',
    'done = []',
    `for name, attempt in [${attempts}]:`,
    '    try: attempt(); done.append(name)',
    '    except OSError: pass',
    'done',
  ]
  return evaluate(sandbox, code.join('\n'))
}

const text = (value: string): string => JSON.stringify(value)

/** What the rules are meant to do, tried on a Mac: elsewhere only what they say is tried, in `seatbelt.test.ts`. */
describe.skipIf(!seatbelt.isMet)(`inside Seatbelt ${seatbelt.reason}`, () => {
  it('Python and the programs of the system run', async () => {
    const sandbox = await open()
    const code = [
      'import asyncio, ctypes, hashlib, json, multiprocessing, platform, ssl, subprocess, tempfile, zoneinfo',
      'multiprocessing.Lock().acquire()',
      'await asyncio.sleep(0)',
      'with tempfile.NamedTemporaryFile("w") as file: file.write("x")',
      'subprocess.run("ls | wc -l", shell=True, capture_output=True, text=True).stdout.strip(), platform.uname().system',
    ]
    expect(await evaluate(sandbox, code.join('\n'))).toBe("('0', 'Darwin')")
  })

  it('nothing of the home folder, nor of other folders for temporary files, can be read or listed', async () => {
    const secrets = await Promise.all([homedir(), tmpdir()].map(folderIn))
    await Promise.all(secrets.map((folder) => writeFile(join(folder, 'secret'), 'x')))
    const expressions = [...secrets, homedir(), '/private/tmp', '/Users', '/Library/Keychains'].flatMap((folder) => [
      `os.listdir(${text(folder)})`,
      `open(${text(join(folder, 'secret'))}).read()`,
      `open(${text(`/System/Volumes/Data${folder}/secret`)}).read()`,
    ])
    expect(await possible(await open(), [...expressions, 'open("/etc/passwd").read()'])).toBe('[]')
  })

  it('nothing can be written but the own folders, also not by another name', async () => {
    const folder = await folderIn(tmpdir())
    await writeFile(join(folder, 'file'), 'x')
    const expressions = [folder, homedir(), '/tmp', '/usr/local/lib'].map(
      (path) => `open(${text(join(path, 'new'))}, "w")`,
    )
    const links = [
      'os.link(os.__file__, "name")',
      'os.rename(os.__file__, "name")',
      `os.link(${text(join(folder, 'file'))}, "name")`,
    ]
    expect(await possible(await open(), [...expressions, ...links, 'open(os.path.join(sys.prefix, "new"), "w")'])).toBe(
      '[]',
    )
    await expect(access(join(folder, 'new'))).rejects.toThrow()
  })

  it('no process of the host can be reached, and none can be asked for its environment', async () => {
    process.env.CODEACT_TEST_SENTINEL = 'sentinel-of-the-host'
    const sandbox = await open()
    expect(await possible(sandbox, [`os.kill(${process.pid}, 0)`, 'os.kill(os.getppid(), 0)', 'os.kill(1, 0)'])).toBe(
      '[]',
    )
    const look = [
      'import ctypes, os',
      'libc, size, data = ctypes.CDLL(None), ctypes.c_size_t(1 << 20), ctypes.create_string_buffer(1 << 20)',
      `libc.sysctl((ctypes.c_int * 3)(1, 49, ${process.pid}), 3, data, ctypes.byref(size), None, 0), b"of-the-host" in data.raw`,
    ]
    expect(await evaluate(sandbox, look.join('\n'))).toBe('(-1, False)')
    delete process.env.CODEACT_TEST_SENTINEL
    expect(await possible(sandbox, ['subprocess.Popen(["sleep", "60"]).kill()'])).not.toBe('[]')
  })

  it('there is no network unless it is asked for, and then no socket of other programs', async () => {
    const path = join(await folderIn('/tmp'), 'socket')
    const [server, program] = [createServer((socket) => socket.end('x')), createServer((socket) => socket.end('x'))]
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await new Promise<void>((resolve) => program.listen(path, resolve))
    const { port } = server.address() as { port: number }
    const reach = `socket.create_connection(("127.0.0.1", ${port}), 2).recv(1)`
    const listen = 'socket.create_server(("127.0.0.1", 0))'
    const expressions = [reach, listen, `socket.socket(socket.AF_UNIX).connect(${text(path)})`]
    expect(await possible(await open(), expressions)).toBe('[]')
    expect(await possible(await open({ network: 'full' }), expressions)).toBe(`['${reach}', '${listen}']`)
    server.close()
    program.close()
  })

  it('mounts are where they are on the host, read-only unless said otherwise', async () => {
    const [data, out] = [await folderIn(tmpdir()), await folderIn(tmpdir())]
    await writeFile(join(data, 'file'), 'x')
    const sandbox = await open({ mounts: { [data]: data, [out]: { source: out, writable: true } } })
    const expressions = [`open(${text(join(data, 'file'))}).read()`, `open(${text(join(data, 'new'))}, "w")`]
    const found = await possible(sandbox, [...expressions, `open(${text(join(out, 'new'))}, "w")`])
    expect(found).toContain('.read()')
    expect(found).not.toContain(join(data, 'new'))
    expect(found).toContain(join(out, 'new'))
  })

  it('two sandboxes see nothing of each other', async () => {
    const [one, other] = [await open(), await open()]
    const place =
      (await evaluate(one, 'import os\nopen("mine", "w").close()\nos.path.abspath("mine")'))?.slice(1, -1) ?? ''
    expect(await possible(other, [`open(${text(place)}).read()`, `open(${text(place)}, "w")`])).toBe('[]')
  })
})
