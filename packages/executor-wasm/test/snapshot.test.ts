import { chmod, cp, mkdtemp, open, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { onRequest } from '@codeact/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { evaluate, openSandbox } from './sandboxes.ts'

/** Most cases make one, which takes seconds; that one is made and taken is what every other test stands on. */
const slow = onRequest('slow')
const { CODEACT_CACHE_DIR } = process.env
const MAKING = 'Making the Python snapshot (first start only, some seconds)'

let original = ''
let cache = ''
let firstWords: string[] = []

const files = () => readdir(cache)
const snapshot = async () => join(cache, (await files()).find((name) => name.endsWith('.snapshot')) ?? 'none')

/** Opens a sandbox that works, and gives what it said meanwhile. */
async function openAndListen(): Promise<string[]> {
  const said: string[] = []
  const sandbox = await openSandbox({}, { onProgress: ({ message }) => said.push(message) })
  expect(await evaluate(sandbox, '6 * 7')).toBe('42')
  return said
}

beforeAll(async () => {
  original = await mkdtemp(join(tmpdir(), 'cache-'))
  process.env.CODEACT_CACHE_DIR = join(original, 'new')
  cache = process.env.CODEACT_CACHE_DIR
  firstWords = await openAndListen()
}, 120_000)

afterAll(async () => {
  if (CODEACT_CACHE_DIR === undefined) delete process.env.CODEACT_CACHE_DIR
  else process.env.CODEACT_CACHE_DIR = CODEACT_CACHE_DIR
  await rm(original, { recursive: true })
})

describe.skipIf(!slow.isMet)(`the snapshot${slow.reason && ` (skipped: ${slow.reason})`}`, () => {
  it('is made by the first start, which says so, and taken by the second', async () => {
    expect(firstWords).toEqual([MAKING])
    expect(await files()).toEqual([expect.stringMatching(/^pyodide-[0-9a-f]{16}\.snapshot$/)])
    expect(await openAndListen()).toEqual([])
  })

  describe('that is there', () => {
    beforeEach(async () => {
      cache = await mkdtemp(join(original, 'copy-'))
      await cp(join(original, 'new'), cache, { recursive: true })
      process.env.CODEACT_CACHE_DIR = cache
    })

    it.each([
      ['is cut short', (path: string) => truncate(path, 20_000_000)],
      ['has a flipped bit', (path: string) => flipBit(path, 17_000_000)],
      ['is of other sources', (path: string) => overwrite(path, 19, 'f'.repeat(64))],
      ['holds no Python, though its checksum is right', (path: string) => hollowOut(path)],
    ])('and %s is made again', async (_, damage) => {
      const good = await readFile(await snapshot())
      await damage(await snapshot())
      expect(await openAndListen()).toEqual([MAKING])
      const again = await readFile(await snapshot())
      expect([again.length, again.subarray(0, 80)]).toEqual([good.length, good.subarray(0, 80)])
      expect(await openAndListen()).toEqual([])
    })

    it('serves every session with numbers of its own', async () => {
      const draw = 'import random, uuid, secrets\nrandom.random(), uuid.uuid4(), secrets.token_hex()'
      const values = await Promise.all([openSandbox(), openSandbox()].map(async (box) => evaluate(await box, draw)))
      expect(values[0]).not.toBe(values[1])
    })

    it('sweeps away the oldest of its kind when it is made, and what a crash left', async () => {
      await rm(await snapshot())
      const name = (n: number) => `pyodide-000${n}.snapshot`
      for (const [hours, file] of [1, 2, 3, 4, 5].map((n) => [n, name(n)] as const)) await put(file, hours)
      await put('pyodide-0001.snapshot.ab12.tmp', 2)
      await put('pyodide-0002.snapshot.cd34.tmp', 0)
      await put('notes.txt', 1000)
      await openAndListen()
      const left = (await files()).filter((file) => !/^pyodide-[0-9a-f]{16}\.snapshot$/.test(file))
      expect(left).toEqual(['notes.txt', name(1), 'pyodide-0002.snapshot.cd34.tmp', name(2), name(3)].sort())
      expect(await files()).toHaveLength(left.length + 1)
    })

    async function put(file: string, hoursAgo: number): Promise<void> {
      await writeFile(join(cache, file), '')
      const then = new Date(Date.now() - hoursAgo * 3_600_000)
      await utimes(join(cache, file), then, then)
    }
  })

  it('is made by two at once without harm', async () => {
    cache = await mkdtemp(join(original, 'two-'))
    process.env.CODEACT_CACHE_DIR = cache
    await Promise.all([openAndListen(), openAndListen()])
    expect(await files()).toHaveLength(1)
  })

  it('is done without where it cannot be kept, and that is said', async () => {
    cache = join(original, 'file', 'cache')
    await writeFile(join(original, 'file'), 'in the way')
    process.env.CODEACT_CACHE_DIR = cache
    expect(await openAndListen()).toEqual([MAKING, expect.stringMatching(/cannot be kept.*ENOTDIR/)])
  })

  it.skipIf(process.getuid?.() === 0)('is done without in a folder that is read-only (as root none is)', async () => {
    cache = await mkdtemp(join(original, 'read-only-'))
    await chmod(cache, 0o500)
    process.env.CODEACT_CACHE_DIR = cache
    expect(await openAndListen()).toEqual([MAKING, expect.stringMatching(/cannot be kept.*EACCES/)])
  })
})

async function flipBit(path: string, position: number): Promise<void> {
  const byte = (await readFile(path))[position] ?? 0
  await overwrite(path, position, Buffer.from([byte ^ 4]))
}

/** Zeros in place of Python's memory, and the header that fits them. */
async function hollowOut(path: string): Promise<void> {
  const bytes = await readFile(path)
  const memory = bytes.fill(0, 256 + 4096).subarray(256)
  const [magic, version, key, length] = bytes.toString('latin1', 0, 256).split(' ')
  bytes.write([magic, version, key, length, crc32(memory)].join(' ').padEnd(255), 'latin1')
  await writeFile(path, bytes)
}

async function overwrite(path: string, position: number, data: string | Uint8Array): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(Buffer.from(data), 0, data.length, position)
  await file.close()
}
