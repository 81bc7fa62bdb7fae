import { lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { array, assert, asyncProperty, boolean, constantFrom, integer, oneof, record, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inPieces, newFolder, tree } from './folder.ts'
import { blocks, END, long, type MadeEntry, pax, tarOf } from './tars.ts'

const GOOD: MadeEntry = { name: 'good', content: 'good' }

describe('an archive is unpacked', () => {
  it('into the folder that is named, with the folders that names imply, over what is there', async () => {
    const { root, files } = await newFolder()
    await files.write('in/deep/old', 'old')
    await files.writeArchive(
      tarOf(
        { name: './', type: '5' },
        { name: 'deep/old', content: 'new' },
        { name: 'deep/', type: '5' },
        { name: 'deep/', type: '5' },
        { name: 'empty/folder/', type: '5' },
        { name: './grüße/…', content: 'ü' },
        { name: 'old-style/', type: '\0' },
        { name: 'none', type: '\0', magic: '' },
        { name: 'c', type: '7', content: 'contiguous' },
        { name: 'name', prefix: 'prefix', content: 'x' },
      ),
      'in',
    )
    expect(await tree(join(root, 'in'))).toEqual([
      ...['c', 'deep/', 'deep/old', 'empty/', 'empty/folder/', 'grüße/', 'grüße/…', 'none', 'old-style/'],
      ...['prefix/', 'prefix/name'],
    ])
    expect(await files.readText('in/deep/old')).toBe('new')
  })

  it('makes the folder, also of an archive of nothing', async () => {
    const { root, files } = await newFolder()
    await files.writeArchive(END, 'a/b')
    expect(await tree(root)).toEqual(['a/', 'a/b/'])
  })

  it('without owners, and without rights that programs would gain', async () => {
    const { root, files } = await newFolder()
    await files.writeArchive(tarOf({ name: 'suid', mode: '0006777', content: '#!/bin/sh' }))
    expect((await lstat(join(root, 'suid'))).mode & 0o7777 & ~0o644).toBe(0)
  })

  it('whatever pieces it comes in', async () => {
    const content = new Uint8Array(5_000).map((_, i) => i % 251)
    const entries: MadeEntry[] = [GOOD, { name: 'folder/', type: '5' }, { name: 'folder/data', content }]
    const archive = Buffer.concat([...entries.map(blocks), long({ path: 'ü'.repeat(100) }), END])
    for (const bytes of [archive, gzipSync(archive)]) {
      for (const size of [1, 7, 512, 513, 100_000]) {
        const { root, files } = await newFolder()
        await files.writeArchive(inPieces(bytes, size).stream)
        expect(await tree(root)).toEqual(['folder/', 'folder/data', 'good', 'ü'.repeat(100)])
        expect(new Uint8Array(await readFile(join(root, 'folder/data')))).toEqual(content)
      }
    }
  })

  it('never through a link that is there, nor over a folder', async () => {
    const { outer, root, files } = await newFolder()
    await writeFile(join(outer, 'host'), 'host')
    await symlink('../host', join(root, 'file'))
    await symlink('..', join(root, 'folder'))
    await mkdir(join(root, 'real'))
    for (const [name, type] of [['file'], ['folder/x'], ['folder/y/', '5'], ['folder/host']]) {
      await expect(files.writeArchive(tarOf({ name: name!, type })), name).rejects.toMatchObject({
        code: 'FILES_OUTSIDE',
      })
    }
    await expect(files.writeArchive(tarOf({ name: 'x' }), 'folder')).rejects.toMatchObject({ code: 'FILES_OUTSIDE' })
    await expect(files.writeArchive(tarOf({ name: 'real' }))).rejects.toMatchObject({ code: 'FILES_NOT_REGULAR' })
    await expect(files.writeArchive(tarOf(), '../x')).rejects.toMatchObject({ code: 'FILES_OUTSIDE' })
    expect(await tree(outer)).toEqual(['host', 'root/', 'root/file', 'root/folder', 'root/real/'])
    expect(await readFile(join(outer, 'host'), 'utf8')).toBe('host')
  })

  it('and a stream that fails is told as it failed', async () => {
    const { files } = await newFolder()
    const bytes = tarOf({ name: 'big', content: new Uint8Array(10_000) })
    const failing = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.subarray(0, 3_000))
      },
      pull(controller) {
        controller.error(new Error('the line is dead'))
      },
    })
    await expect(files.writeArchive(failing)).rejects.toThrow('the line is dead')
  })

  it('or refused by a code, whatever is wrong with it', async () => {
    const { outer, files } = await newFolder()
    const made = array(record(ENTRY, { requiredKeys: ['name'] }), { maxLength: 4 })
    const outcomes = new Set<string>()
    await assert(
      asyncProperty(made, boolean(), async (entries, isStreamed) => {
        const bytes = tarOf(...entries)
        const archive = isStreamed ? inPieces(bytes, 1_000).stream : bytes
        const outcome = await files.writeArchive(archive, 'in').catch((error) => error.code ?? error)
        expect(outcome ?? 'FILES_').toMatch(/^FILES_/)
        outcomes.add(outcome ?? 'unpacked')
        await files.remove('in').catch(() => {})
        expect(await tree(outer)).toEqual(['root/'])
      }),
      { numRuns: 500 },
    )
    expect([...outcomes]).toEqual(expect.arrayContaining(['unpacked', 'FILES_OUTSIDE', 'FILES_BAD_ARCHIVE']))
  })

  it('while the event loop has its turns', async () => {
    const { root, files } = await newFolder()
    const header = blocks({ name: './', type: '5' })
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    count()
    await files.writeArchive(Buffer.concat([...Array.from({ length: 20_000 }, () => header), END]))
    isOver = true
    expect(turns).toBeGreaterThan(100)
    expect(await tree(root)).toEqual([])
  })
})

const part = constantFrom('a', 'b', '..', '.', '', '\\', 'C:', 'ü', 'x'.repeat(30))
const name = array(part, { maxLength: 3 }).map((parts) => parts.join('/'))

const ENTRY = {
  name,
  type: constantFrom('0', '0', '0', '5', '\0', '7', '1', '2', 'x', 'g', 'L', 'K', 'S', 'Z'),
  content: oneof(
    name,
    name.map((path) => pax({ path })),
    string({ maxLength: 600 }),
  ),
  size: oneof(integer({ min: 0, max: 2_000 }), string({ minLength: 1, maxLength: 11 })),
  magic: constantFrom('ustar\x0000', 'ustar  \0', ''),
  prefix: name,
}
