import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '@codeact/spec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wasm } from '../src/index.ts'
import { canSeeProcesses, descendants, readProcess } from './processes.ts'

// Every way to the host that Pyodide is known to have in Node. What counts is seen from the host: a file that is not read,
// a folder that nothing is written to, a server that nobody calls.

const SENTINEL = 'sentinel-of-the-host-7c21'

let folder = ''
let secret = ''
let server: Server
let connections = 0
let sandbox: Sandbox

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doors-'))
  secret = join(folder, 'secret')
  await writeFile(secret, SENTINEL)
  process.env.CODEACT_TEST_SENTINEL = SENTINEL
  server = createServer(() => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  sandbox = await wasm().open()
})

afterAll(async () => {
  await sandbox.close()
  delete process.env.CODEACT_TEST_SENTINEL
  server.close()
  await rm(folder, { recursive: true })
})

/** Runs the code, which must get nothing: no sentinel in any of its words, nothing written, nobody called. */
async function tryDoor(code: string): Promise<{ status: string; text: string }> {
  const execution = await sandbox.execute(code, { timeoutMs: 3000 })
  const { status, stdout, stderr, value, error } = execution
  expect(JSON.stringify(execution)).not.toContain(SENTINEL)
  expect(await readdir(folder)).toEqual(['secret'])
  expect(connections).toBe(0)
  return { status, text: [stdout, stderr, value?.['text/plain'], error?.name].join('|') }
}

const quote = (text: string): string => JSON.stringify(text)
const port = (): number => (server.address() as { port: number }).port

describe('files of the host', () => {
  it.each([
    ['open', () => `open(${quote(secret)}).read()`],
    ['os.open', () => `import os\nos.read(os.open(${quote(secret)}, os.O_RDONLY), 99)`],
    ['writing', () => `open(${quote(join(folder, 'new'))}, "w").write("x")`],
    [
      'mountNodeFS',
      () => `import pyodide_js\npyodide_js.mountNodeFS("/host", ${quote(folder)})\nopen("/host/secret").read()`,
    ],
    ['NODEFS', () => mount('NODEFS', `js.Object.fromEntries([["root", ${quote(folder)}]])`)],
    ['WORKERFS', () => mount('WORKERFS', `js.Object.fromEntries([["files", [${quote(secret)}]]])`)],
    ['the reader of the shell', () => `import js\njs.read(${quote(secret)})`],
    ['the reader of the realm', () => `import pyodide_js\npyodide_js._module.readBinary(${quote(secret)})`],
    ['a link', () => `import os\nos.symlink(${quote(secret)}, "link")\nopen("link").read()`],
  ])('stay closed to %s', async (_, code) => {
    expect((await tryDoor(code())).status).toBe('error')
  })

  function mount(type: string, options: string): string {
    return `import js, os, pyodide_js\nos.mkdir("/m")\npyodide_js.FS.mount(pyodide_js.FS.filesystems.${type}, ${options}, "/m")\nprint(open("/m/secret").read())`
  }
})

describe('programs of the host', () => {
  it.each([
    ['os.system', () => `import os\nos.system("cp ${secret} ${folder}/copy")`],
    ['ctypes', () => `import ctypes\nctypes.CDLL(None).system(b"cp ${secret} ${folder}/copy")`],
    ['subprocess', () => `import subprocess\nsubprocess.run(["cp", ${quote(secret)}, ${quote(join(folder, 'copy'))}])`],
    ['fork', () => 'import os\nos.fork()'],
    ['exec', () => 'import os\nos.execv("/bin/sh", ["sh", "-c", "id"])'],
    ['a JavaScript process', () => 'import js\njs.process.mainModule'],
    ['require', () => 'import js\njs.require("node:child_process")'],
  ])('cannot be run by %s', async (_, code) => {
    expect((await tryDoor(code())).text).not.toMatch(/\|0\||uid=/)
  })

  it.each([
    ['os.kill', (pid: number) => `import os\nos.kill(${pid}, 9)`],
    ['ctypes', (pid: number) => `import ctypes\nctypes.CDLL(None).kill(${pid}, 9)`],
  ])('cannot be killed by %s', async (_, code) => {
    await tryDoor(code(process.pid)) // This very process would be gone.
  })
})

describe('the network', () => {
  it.each([
    ['a socket', () => `import socket\nsocket.create_connection(("127.0.0.1", ${port()}), 2)`],
    ['a listening socket', () => 'import socket\ns = socket.socket()\ns.bind(("127.0.0.1", 0))\ns.listen()'],
    ['urllib', () => `import urllib.request\nurllib.request.urlopen("http://127.0.0.1:${port()}", timeout=2)`],
    ['pyfetch', () => `from pyodide.http import pyfetch\nawait pyfetch("http://127.0.0.1:${port()}")`],
    ['open_url', () => `from pyodide.http import open_url\nopen_url("http://127.0.0.1:${port()}")`],
    ['fetch', () => `import js\nawait js.fetch("http://127.0.0.1:${port()}")`],
    ['a web socket', () => `import js\njs.WebSocket.new("ws://127.0.0.1:${port()}")`],
    ['Node sockets', () => 'import pyodide_js\nawait pyodide_js.useNodeSockFS()'],
    ['packages', () => 'import micropip'],
  ])('cannot be reached by %s', async (_, code) => {
    expect((await tryDoor(code())).status).not.toBe('ok')
  })
})

describe('code of JavaScript', () => {
  it.each([
    ['run_js', () => 'from pyodide.code import run_js\nrun_js("1")'],
    ['eval', () => 'import js\njs.eval("1")'],
    ['Function', () => 'import js\njs.Function("return 1")()'],
    ['the constructor of a constructor', () => 'import js\njs.Object.constructor.constructor("return process")()'],
    ['what the host gave', () => 'import _codeact_host\n_codeact_host.sleep.constructor("return process")()'],
    [
      'a JavaScript error',
      () =>
        'import js\ntry:\n    js.Reflect.construct(js.Symbol)\nexcept Exception as e:\n    found = e.js_error\nfound.constructor.constructor("return process")()',
    ],
    ['a streaming compiler', () => 'import pyodide_js\npyodide_js._api.config.jsglobals.WebAssembly.compileStreaming'],
  ])('cannot be made through %s', async (_, code) => {
    expect((await tryDoor(code())).status).toBe('error')
  })

  it('from C ends that Python, and nothing else', async () => {
    const { status } = await tryDoor('import ctypes\nctypes.CDLL(None).emscripten_run_script(b"1")')
    expect(status).toBe('crashed')
    expect((await tryDoor('1 + 1')).text).toContain('|2|')
  })

  it('that is tampered with from Python does not reach out', async () => {
    const tampered = [
      'import js',
      'from pyodide.ffi import create_proxy',
      'seen = []',
      'def spy(*args):',
      '    seen.append([str(one) for one in args])',
      '    return args[0] if args else None',
      'for owner in (js.Uint8Array.prototype, js.Array.prototype, js.String.prototype, js.Object.prototype):',
      '    for name in ("subarray", "slice", "at", "toString", "map", "call"):',
      '        try: setattr(owner, name, create_proxy(spy))',
      '        except Exception: pass',
      'print("x")',
      'any("process" in word or "node" in word for args in seen for word in args)',
    ]
    const { text } = await tryDoor(tampered.join('\n'))
    expect(text).not.toContain('True')
    expect((await tryDoor('1 + 1')).text).toContain('|2|')
  })
})

describe('the environment of the host', () => {
  it('is not in that of Python', async () => {
    expect((await tryDoor('import os\nsorted(os.environ)')).text).toContain("['HOME', 'LANG', 'USER']")
  })

  it.skipIf(!canSeeProcesses)('is not in that of the process either (seen through /proc, so on Linux)', () => {
    const pythons = descendants(process.pid).filter((pid) => readProcess(pid, 'cmdline').includes('main.mjs'))
    expect(pythons).toHaveLength(1)
    expect(readProcess(pythons[0] as number, 'environ')).toBe('')
  })
})
