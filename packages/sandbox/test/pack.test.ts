import { once } from 'node:events'
import { appendFile, mkdir, readdir, readlink, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { FileEntry } from '@codeact/spec'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ByteReader } from '../src/files/byte-reader.ts'
import { sandboxFiles } from '../src/files/sandbox-files.ts'
import { encodeHeader } from '../src/files/tar-header.ts'
import { tarEntries } from '../src/files/tar-reader.ts'
import type { BackendFiles } from '../src/index.ts'
import { newFolder, tree } from './folder.ts'
import { tarOf } from './tars.ts'

const MIB = 1024 * 1024

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** What an archive has, by the reader that takes them in. */
async function entriesOf(stream: ReadableStream<Uint8Array>): Promise<[name: string, type: string, text: string][]> {
  const entries: [string, string, string][] = []
  for await (const { name, type, content } of tarEntries(new ByteReader(stream))) {
    const chunks: Uint8Array[] = []
    for await (const chunk of content) chunks.push(chunk)
    entries.push([name, type, Buffer.concat(chunks).toString()])
  }
  return entries
}

describe('a folder becomes an archive', () => {
  it('of files and folders, with names relative to it', async () => {
    const { files } = await newFolder()
    const long = `${'l'.repeat(200)}/${'m'.repeat(200)}`
    await files.write('top/a.txt', 'a')
    await files.write('top/empty', '')
    await files.write('top/sub/grüße\n', 'ü')
    await files.write(`top/${long}`, 'long')
    const expected = [
      ['a.txt', '0', 'a'],
      ['empty', '0', ''],
      [`${'l'.repeat(200)}/`, '5', ''],
      [long, '0', 'long'],
      ['sub/', '5', ''],
      ['sub/grüße\n', '0', 'ü'],
    ]
    expect(await entriesOf(files.readArchive('top'))).toEqual(expected)
    expect(await entriesOf(files.readArchive())).toEqual([
      ['top/', '5', ''],
      ...expected.map(([name, ...rest]) => [`top/${name}`, ...rest]),
    ])
    expect(await entriesOf(files.readArchive('./top//sub/../a.txt'))).toEqual([['a.txt', '0', 'a']])
  })

  it('that unpacks to the same again', async () => {
    const { root, files } = await newFolder()
    const data = new Uint8Array(200_000).map((_, i) => i % 253)
    await files.writeArchive(tarOf({ name: 'none/', type: '5' }, { name: 'in/x', content: data }, { name: 'é' }), 'a')
    await files.writeArchive(files.readArchive('a'), 'b')
    await files.writeArchive(await bytesOf(files.readArchive('a')), 'c/d')
    expect(await tree(join(root, 'b'))).toEqual(['in/', 'in/x', 'none/', 'é'])
    expect(await tree(join(root, 'c/d'))).toEqual(await tree(join(root, 'b')))
    expect(Buffer.from(data).equals(await files.read('b/in/x'))).toBe(true)
    expect(Buffer.from(data).equals(await files.read('c/d/in/x'))).toBe(true)
  })

  it('without links, and without what is neither file nor folder', async () => {
    const { outer, root, files } = await newFolder()
    await writeFile(join(outer, 'secret'), 'secret')
    await mkdir(join(root, 'real'))
    for (const [name, to] of [
      ['file', '../secret'],
      ['folder', '..'],
      ['inner', 'real'],
      ['loop', '.'],
    ] as const) {
      await symlink(to, join(root, name))
    }
    const server = createServer().listen(join(root, 'socket'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    expect(await entriesOf(files.readArchive())).toEqual([['real/', '5', '']])
    for (const path of ['file', 'folder', 'inner', 'folder/secret']) {
      await expect(bytesOf(files.readArchive(path)), path).rejects.toMatchObject({ code: 'FILES_OUTSIDE' })
    }
    await expect(bytesOf(files.readArchive('socket'))).rejects.toMatchObject({ code: 'FILES_NOT_REGULAR' })
  })

  it('or an error that says why not', async () => {
    const { files } = await newFolder()
    for (const path of ['missing', 'missing/x']) {
      await expect(bytesOf(files.readArchive(path)), path).rejects.toMatchObject({ code: 'FILES_NOT_FOUND' })
    }
    for (const path of ['..', '/etc', 'a/../../x']) {
      await expect(bytesOf(files.readArchive(path)), path).rejects.toMatchObject({ code: 'FILES_OUTSIDE' })
    }
    await expect(bytesOf(files.readArchive(''))).rejects.toMatchObject({ code: 'FILES_BAD_PATH' })
  })

  it.each([
    ['grows', (path: string) => appendFile(path, 'more')],
    ['shrinks', (path: string) => truncate(path, 3)],
  ])('not silently while a file in it %s', async (_, change) => {
    const { root, files } = await newFolder()
    await files.write('log', 'first line')
    const reader = files.readArchive().getReader()
    expect((await reader.read()).value?.length, 'a header, with the size').toBe(512)
    await change(join(root, 'log'))
    const rest = async (): Promise<void> => {
      while (!(await reader.read()).done);
    }
    await expect(rest()).rejects.toMatchObject({ code: 'FILES_CHANGED', isRetryable: true })
  })

  it('with sizes that eleven digits do not hold', async () => {
    const size = 9 * 1024 ** 3
    const bytes = (async function* () {
      yield encodeHeader('big', '0', size, 0)
    })()
    const { value } = await tarEntries(new ByteReader(bytes)).next()
    expect(value).toMatchObject({ name: 'big', type: '0', size })
  })
})

describe('an archive is read no faster than it is taken', () => {
  it('and what a gigabyte takes is a few chunks', async () => {
    const big = endlessFile(1024 * MIB)
    let taken = 0
    let most = 0
    for await (const chunk of sandboxFiles(big.files).readArchive()) {
      most = Math.max(most, big.given() - taken)
      taken += chunk.length
    }
    expect(taken).toBe(1024 * MIB + 512 + 1024)
    expect(most).toBeLessThanOrEqual(4 * MIB)
  })

  it('and a reader that leaves stops the work', async () => {
    const big = endlessFile(1024 * MIB)
    const reader = sandboxFiles(big.files).readArchive().getReader()
    for (let i = 0; i < 10; i++) await reader.read()
    await reader.cancel()
    expect(big.given()).toBeLessThanOrEqual(14 * MIB)
    expect(big.isOver()).toBe(true)
  })

  it.runIf(process.platform === 'linux')('and a reader that leaves keeps no file open', async () => {
    const { root, files } = await newFolder()
    await files.write('big', new Uint8Array(4 * MIB))
    const reader = files.readArchive().getReader()
    await reader.read()
    await reader.read()
    expect(await openBelow(root)).toBe(1)
    await reader.cancel()
    await expect.poll(() => openBelow(root)).toBe(0)
  })

  it('and one that is unpacked is read no faster than it is written', async () => {
    const big = endlessFile(64 * MIB)
    let written = 0
    let most = 0
    const slow: BackendFiles = {
      ...big.files,
      makeFolder: async () => {},
      async write(_, data) {
        for await (const chunk of data as ReadableStream<Uint8Array>) {
          await new Promise(setImmediate)
          most = Math.max(most, big.given() - written)
          written += chunk.length
        }
      },
    }
    await sandboxFiles(slow).writeArchive(sandboxFiles(big.files).readArchive())
    expect(written).toBe(64 * MIB)
    expect(most).toBeLessThanOrEqual(4 * MIB)
  })
})

it.each<[string, FileEntry]>([
  ['itself', { path: 'd', type: 'directory', size: 0 }],
  ['what is outside', { path: 'd/../../etc', type: 'directory', size: 0 }],
  ['what is elsewhere', { path: 'other/x', type: 'file', size: 1 }],
  ['its own dot', { path: 'd/.', type: 'directory', size: 0 }],
  ['a size that is none', { path: 'd/x', type: 'file', size: -1 }],
])('a sandbox that lists %s in a folder is not believed', async (_, entry) => {
  const list = async (path?: string): Promise<FileEntry[]> =>
    path === '.' ? [{ path: 'd', type: 'directory', size: 0 }] : [entry]
  const files = sandboxFiles({ ...endlessFile(0).files, list })
  await expect(bytesOf(files.readArchive('d'))).rejects.toMatchObject({ code: 'PROTOCOL_ERROR' })
})

/** The files of a sandbox that has one, which is made up as it is read. */
function endlessFile(size: number): { files: BackendFiles; given: () => number; isOver: () => boolean } {
  let given = 0
  let isOver = false
  const chunk = new Uint8Array(MIB)
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (; given < size; given += chunk.length) yield chunk
    } finally {
      isOver = true
    }
  }
  const unused = (): Promise<never> => Promise.reject(new Error('not asked for'))
  const files: BackendFiles = {
    stream: () => ReadableStream.from(chunks()),
    list: async () => [{ path: 'big', type: 'file', size }],
    read: unused,
    write: unused,
    remove: unused,
    makeFolder: unused,
  }
  return { files, given: () => given, isOver: () => isOver }
}

/** How many files below a folder this process has open. */
async function openBelow(folder: string): Promise<number> {
  const links = await readdir('/proc/self/fd')
  const paths = await Promise.all(links.map((link) => readlink(`/proc/self/fd/${link}`).catch(() => '')))
  return paths.filter((path) => path.startsWith(`${folder}/`)).length
}
