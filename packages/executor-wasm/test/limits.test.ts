import { onRequest } from '@codeact/testing'
import { describe, expect, it } from 'vitest'
import { evaluate, openSandbox } from './sandboxes.ts'

const slow = onRequest('slow')

describe('memory', () => {
  it('ends where the option says, as an error that the code can handle', async () => {
    const sandbox = await openSandbox({ limits: { memory: '128m' } })
    expect(await evaluate(sandbox, 'x = 5\nlen(bytearray(64 * 2**20))')).toBe('67108864')
    expect(await evaluate(sandbox, 'bytearray(150 * 2**20)')).toMatch(/^MemoryError/)
    expect(await evaluate(sandbox, 'hoard = []\nwhile True: hoard.append(b"x" * 10**6)')).toMatch(/^MemoryError/)
    expect(await evaluate(sandbox, 'del hoard\nx')).toBe('5')
  })

  it.each(slow.isMet ? [1, 100, 10_000, 1_000_000] : [10_000])(
    'is left for the next cell, when one took it all in pieces of %i',
    async (size) => {
      const sandbox = await openSandbox({ limits: { memory: '64m' } })
      await evaluate(sandbox, 'x = 5')
      const hoard = `hoard = []\nwhile True: hoard.append(b"x" * ${size} + str(len(hoard)).encode())`
      expect(await evaluate(sandbox, hoard)).toMatch(/^MemoryError/)
      expect(await evaluate(sandbox, 'len(hoard) > 10')).toBe('True')
      expect(await evaluate(sandbox, 'del hoard\nx')).toBe('5')
    },
  )

  it('that is taken by cell after cell ends that Python at last, and is named as the reason', async () => {
    const sandbox = await openSandbox({ limits: { memory: '64m' } })
    let execution = await sandbox.execute('hoards = []')
    for (let cell = 0; cell < 30 && execution.status !== 'crashed'; cell++) {
      execution = await sandbox.execute('hoards.append([])\nwhile True: hoards[-1].append({len(hoards[-1]): [1]})')
    }
    expect(execution).toMatchObject({ status: 'crashed', reason: 'memory', state: 'lost' })
    expect(await evaluate(sandbox, '1')).toBe('1')
  })

  it('is 512 MB by default', async () => {
    const sandbox = await openSandbox()
    expect(await evaluate(sandbox, 'len(bytearray(400 * 2**20))')).toBe('419430400')
    expect(await evaluate(sandbox, 'bytearray(600 * 2**20)')).toMatch(/^MemoryError/)
  })
})

describe('files', () => {
  it('fill no more than the option says, and room that is freed counts', async () => {
    const sandbox = await openSandbox({ limits: { disk: '20m' } })
    const full = 'OSError: [Errno 51] No space left on device'
    expect(await evaluate(sandbox, 'open("a", "wb").write(b"x" * 10**7)')).toBe('10000000')
    expect(await evaluate(sandbox, 'open("b", "wb").write(b"x" * 10**7)')).toBe(full)
    expect(await evaluate(sandbox, 'open("/tmp/c", "wb").truncate(10**12)')).toBe(full)
    expect(await evaluate(sandbox, 'f = open("/tmp/d", "wb", 0)\nf.seek(10**9)\nf.write(b"x")')).toBe(full)
    expect(await evaluate(sandbox, 'import os\nos.unlink("a")\nopen("b", "wb").write(b"x" * 10**7)')).toBe('10000000')
  })
})

describe('depth', () => {
  it.each([
    ['of Python calls', 'def f(): f()\nf()', 'RecursionError'],
    [
      'of calls through C',
      'class A:\n    def __getattr__(self, name): return getattr(self, name + "x")\nA().y',
      'RecursionError',
    ],
    ['of JSON', 'import json\njson.loads("[" * 100_000)', 'RecursionError'],
    ['of a value to show', 'nested = []\nfor _ in range(20_000): nested = [nested]\nnested', 'RecursionError'],
    ['of source', 'eval("(" * 100_000)', 'SyntaxError'],
  ])('%s is an error, not an end', async (_, code, expected) => {
    const sandbox = await openSandbox()
    await evaluate(sandbox, 'x = 5')
    expect(await evaluate(sandbox, code)).toContain(expected)
    expect(await evaluate(sandbox, 'x')).toBe('5')
  })

  it('that Python is told to go into without end ends that Python only', async () => {
    const sandbox = await openSandbox()
    const execution = await sandbox.execute('import sys\nsys.setrecursionlimit(10**9)\ndef f(): f()\nf()')
    expect(execution).toMatchObject({ status: 'crashed', state: 'lost', stdout: '', stderr: '' })
    expect(await evaluate(sandbox, '1')).toBe('1')
  })
})

describe('options', () => {
  it.each([
    { network: 'full' },
    { network: { allow: ['example.org'] } },
    { mounts: { '/data': '/tmp' } },
    { limits: { cpus: 2 } },
    { limits: { processes: 5 } },
    { limits: { files: 5 } },
    { checkpoint: true },
    { languages: ['bash'] },
  ] as const)('that cannot be honoured are refused: %o', async (options) => {
    await expect(openSandbox(options)).rejects.toMatchObject({ code: 'OPTION_UNSUPPORTED' })
  })

  it.each([{ limits: { memory: '10m' } }, { limits: { memory: '5g' } }, { limits: { disk: 'much' } }])(
    'that make no sense are refused: %o',
    async (options) => {
      await expect(openSandbox(options)).rejects.toMatchObject({ code: 'OPTION_INVALID' })
    },
  )

  it('that set the environment do, and do no more', async () => {
    const sandbox = await openSandbox({ env: { GREETING: 'hi' }, network: 'none' })
    expect(await evaluate(sandbox, 'import os\ndict(os.environ)')).toBe(
      "{'HOME': '/workspace', 'USER': 'agent', 'LANG': 'C.UTF-8', 'GREETING': 'hi'}",
    )
  })
})
