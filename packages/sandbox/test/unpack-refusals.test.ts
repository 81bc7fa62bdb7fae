import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inPieces, newFolder, tree } from './folder.ts'
import { blocks, END, gnuLong, long, longText, type MadeEntry, pax, tarOf } from './tars.ts'

const GOOD: MadeEntry = { name: 'good', content: 'good' }

describe('an archive is refused as a whole', () => {
  const refused: [what: string, code: string, message: string, entry: MadeEntry | Buffer][] = [
    ['a name that climbs out', 'FILES_OUTSIDE', '"../x"', { name: '../x' }],
    ['a name that climbs out later', 'FILES_OUTSIDE', '"a/../../x"', { name: 'a/../../x' }],
    ['a name that climbs and stays inside', 'FILES_OUTSIDE', '"a/../x"', { name: 'a/../x' }],
    ['an absolute name', 'FILES_OUTSIDE', '"/etc/x"', { name: '/etc/x' }],
    ['a drive', 'FILES_OUTSIDE', 'C:', { name: 'C:\\x' }],
    ['a share', 'FILES_OUTSIDE', 'host', { name: '\\\\host\\x' }],
    ['a prefix that climbs out', 'FILES_OUTSIDE', '"../x"', { name: 'x', prefix: '..' }],
    ['a zero in a name', 'FILES_BAD_PATH', 'a\\u0000b', long({ path: 'a\0b' })],
    ['no name', 'FILES_BAD_PATH', '""', { name: '' }],
    ['the folder as a file', 'FILES_BAD_PATH', '"."', { name: '.' }],
    ['a long name', 'FILES_BAD_PATH', 'x/…"', long({ path: 'x/'.repeat(600) })],
    ['a long part of a name', 'FILES_BAD_PATH', 'ééé…"', long({ path: 'é'.repeat(128) })],
    ['a pax name that climbs out', 'FILES_OUTSIDE', '"../y"', long({ path: '../y' })],
    ['a GNU name that climbs out', 'FILES_OUTSIDE', '"../z"', gnuLong('../z\0')],
    ['a symbolic link', 'FILES_NOT_REGULAR', '"l" is a symbolic link', { name: 'l', type: '2' }],
    ['a hard link', 'FILES_NOT_REGULAR', '"l" is a hard link', { name: 'l', type: '1' }],
    ['a character device', 'FILES_NOT_REGULAR', '"d" is a device', { name: 'd', type: '3' }],
    ['a block device', 'FILES_NOT_REGULAR', '"d" is a device', { name: 'd', type: '4' }],
    ['a FIFO', 'FILES_NOT_REGULAR', '"p" is a FIFO', { name: 'p', type: '6' }],
    ['a sparse file of GNU', 'FILES_NOT_REGULAR', '"s" is a sparse file', { name: 's', type: 'S' }],
    ['a sparse file of pax', 'FILES_NOT_REGULAR', 'sparse', long({ 'GNU.sparse.major': '1', path: 's' })],
    ['an unknown kind', 'FILES_NOT_REGULAR', 'unknown kind "Z"', { name: 'z', type: 'Z' }],
    ['a file that comes twice', 'FILES_BAD_ARCHIVE', '"./good" twice', { name: './good' }],
    ['a file below a file', 'FILES_BAD_ARCHIVE', '"good" as file and as folder', { name: 'good/x' }],
    ['a folder that was a file', 'FILES_BAD_ARCHIVE', '"good" as file and as folder', { name: 'good/', type: '5' }],
    ['a folder with contents', 'FILES_BAD_ARCHIVE', 'has a size', { name: 'd/', type: '5', content: 'x' }],
    ['a size that is none', 'FILES_BAD_ARCHIVE', 'size', { name: 'n', size: '0000000009x' }],
    ['a size below nothing', 'FILES_BAD_ARCHIVE', 'size', { name: 'n', size: '\xff'.repeat(12) }],
    ['a size beyond numbers', 'FILES_BAD_ARCHIVE', 'size', { name: 'n', size: `\x80${'\xff'.repeat(11)}` }],
    ['a pax size that is none', 'FILES_BAD_ARCHIVE', 'size', long({ size: '-1' })],
    ['a size beyond the limit', 'FILES_TOO_LARGE', 'bytes', { name: 'n', size: 2 ** 33 - 1 }],
    ['a size beyond the end', 'FILES_BAD_ARCHIVE', 'in the middle of "n"', { name: 'n', size: 100_000 }],
    ['a pax size beyond the end', 'FILES_BAD_ARCHIVE', 'in the middle', long({ size: '100000' })],
    ['a damaged pax header', 'FILES_BAD_ARCHIVE', 'damaged header', longText('99 path=x\n')],
    ['a pax header without end', 'FILES_BAD_ARCHIVE', 'damaged header', longText('9 path=xyz')],
    ['a pax header of nothing', 'FILES_BAD_ARCHIVE', 'damaged header', longText('0 0 0 0 0\n')],
    ['a global name', 'FILES_BAD_ARCHIVE', 'global', blocks({ name: 'g', type: 'g', content: pax({ path: 'x' }) })],
    ['a large header', 'FILES_BAD_ARCHIVE', '256 KiB', { name: 'h', type: 'x', content: new Uint8Array(2 ** 18 + 1) }],
    ['a name in Latin-1', 'FILES_BAD_ARCHIVE', 'UTF-8', { name: Buffer.from('\xe9', 'latin1') }],
    ['a damaged header', 'FILES_BAD_ARCHIVE', 'damaged', Buffer.alloc(512, 7)],
    ['something after the end', 'FILES_BAD_ARCHIVE', 'after its end', Buffer.concat([END, blocks({ name: 'x' })])],
  ]

  it.each(refused)('%s: %s', async (_, code, message, entry) => {
    const { outer, root, files } = await newFolder()
    const bytes = Buffer.concat([blocks(GOOD), 'name' in entry ? blocks(entry) : entry, END])
    for (const archive of [bytes, gzipSync(bytes)]) {
      await expect(files.writeArchive(archive)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(message),
      })
      expect(await tree(root)).toEqual([])
    }
    for (const archive of [bytes, gzipSync(bytes)]) {
      const { stream, isOver } = inPieces(archive, 100)
      await expect(files.writeArchive(stream)).rejects.toMatchObject({ code })
      expect(isOver(), 'the stream is let go of').toBe(true)
    }
    expect((await tree(outer)).filter((path) => !/^root\/(good|n|x)?$/.test(path))).toEqual([])
  })

  it('when it ends anywhere before its end', async () => {
    const { root, files } = await newFolder()
    const whole = tarOf(
      GOOD,
      { name: 'zeros', content: new Uint8Array(2048) },
      { name: 'last', content: 'x'.repeat(700) },
    )
    const packed = gzipSync(whole)
    for (let length = 0; length <= whole.length - END.length; length += 64) {
      await expect(files.writeArchive(whole.subarray(0, length)), `${length}`).rejects.toMatchObject({
        code: 'FILES_BAD_ARCHIVE',
      })
    }
    for (let length = 0; length < packed.length; length += 1) {
      await expect(files.writeArchive(packed.subarray(0, length)), `gzip, ${length}`).rejects.toMatchObject({
        code: 'FILES_BAD_ARCHIVE',
      })
    }
    expect(await tree(root)).toEqual([])
  })

  it('when it is something else', async () => {
    const { root, files } = await newFolder()
    for (const bytes of ['', 'PK\x03\x04', 'hello', 'x'.repeat(10_000)]) {
      await expect(files.writeArchive(Buffer.from(bytes))).rejects.toMatchObject({
        code: 'FILES_BAD_ARCHIVE',
        hint: expect.stringContaining('gzip'),
      })
    }
    expect(await tree(root)).toEqual([])
  })

  it('when it has more entries than the limit, folders counted that only names imply', async () => {
    const { root, files } = await newFolder()
    const archive = tarOf({ name: 'a/b/c' }, { name: 'a/b/d' })
    await expect(files.writeArchive(archive, '.', { maxEntries: 3 })).rejects.toMatchObject({ code: 'FILES_TOO_LARGE' })
    expect(await tree(root)).toEqual([])
    await files.writeArchive(archive, '.', { maxEntries: 4 })
    expect(await tree(root)).toEqual(['a/', 'a/b/', 'a/b/c', 'a/b/d'])
  })

  it('when it has more than a hundred thousand entries, unless they are allowed', { timeout: 120_000 }, async () => {
    const { root, files } = await newFolder()
    const folders = Array.from({ length: 100_001 }, (_, i) => blocks({ name: `${i}/`, type: '5' }))
    await expect(files.writeArchive(gzipSync(Buffer.concat([...folders, END])))).rejects.toMatchObject({
      code: 'FILES_TOO_LARGE',
      hint: expect.stringContaining('maxEntries'),
    })
    expect(await tree(root)).toEqual([])
  })

  it('when it never ends', async () => {
    const { root, files } = await newFolder()
    let made = 0
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(blocks({ name: `${made++}/`, type: '5' })),
    })
    await expect(files.writeArchive(endless, '.', { maxEntries: 100 })).rejects.toMatchObject({
      code: 'FILES_TOO_LARGE',
    })
    expect((await tree(root)).length).toBe(100)
    expect(made).toBeLessThan(110)
  })

  it('when it uncompresses to more than the limit, be it files or headers', async () => {
    const { root, files } = await newFolder()
    const bombs = [
      tarOf({ name: 'zeros', content: new Uint8Array(5_000_000) }),
      Buffer.concat(
        Array.from({ length: 5_000 }, () => blocks({ name: 'h', type: 'x', content: pax({ comment: 'x' }) })),
      ),
      Buffer.concat([END, Buffer.alloc(5_000_000)]),
    ]
    for (const bomb of bombs) {
      const packed = gzipSync(bomb)
      await expect(files.writeArchive(packed, '.', { maxBytes: 4_000_000 })).rejects.toMatchObject({
        code: 'FILES_TOO_LARGE',
        hint: expect.stringContaining('maxBytes'),
      })
    }
    expect(await tree(root)).toEqual([])
  })

  it('and headers that would be merged over and over cost no more than their bytes', async () => {
    const { root, files } = await newFolder()
    const records = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key${i}`, '']))
    const global = blocks({ name: 'g', type: 'g', content: pax(records) })
    const each = Array.from({ length: 1_000 }, (_, i) => long({ path: `${i}` }))
    await files.writeArchive(Buffer.concat([global, ...each, END]))
    expect((await tree(root)).length).toBe(1_000)
  })
})
