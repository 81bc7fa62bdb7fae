import type { SandboxFiles } from '@codeact/spec'
import { expect } from 'vitest'
import { evaluate, type Subject } from './subject.ts'
import { tarOf } from './tar.ts'

const bytesOf = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array> =>
  new Uint8Array(await new Response(stream).arrayBuffer())

const zipped = (bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> =>
  new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))

/** Every path below a folder, and how large it is. */
async function tree(files: SandboxFiles, folder = '.'): Promise<string[]> {
  const entries = await files.list(folder)
  const below = await Promise.all(
    entries.map(async ({ path, type, size }) =>
      type === 'directory' ? [`${path}/`, ...(await tree(files, path))] : [`${path} ${type} ${size}`],
    ),
  )
  return below.flat().sort()
}

const REFUSED = [
  ['FILES_OUTSIDE', tarOf({ name: 'good' }, { name: '../x' })],
  ['FILES_OUTSIDE', tarOf({ name: 'good' }, { name: 'a/../../x' })],
  ['FILES_OUTSIDE', tarOf({ name: 'good' }, { name: '/tmp/x' })],
  ['FILES_OUTSIDE', tarOf({ name: 'good' }, { name: 'C:\\x' })],
  ['FILES_BAD_PATH', tarOf({ name: 'good' }, { name: '' })],
  ['FILES_NOT_REGULAR', tarOf({ name: 'good' }, { name: 'link', type: '2' }, { name: 'link/x' })],
  ['FILES_NOT_REGULAR', tarOf({ name: 'good' }, { name: 'hard', type: '1' })],
  ['FILES_NOT_REGULAR', tarOf({ name: 'good' }, { name: 'device', type: '3' })],
  ['FILES_NOT_REGULAR', tarOf({ name: 'good' }, { name: 'pipe', type: '6' })],
  ['FILES_NOT_REGULAR', tarOf({ name: 'good' }, { name: 'sparse', type: 'S' })],
  ['FILES_BAD_ARCHIVE', tarOf({ name: 'good' }, { name: 'good' })],
  ['FILES_BAD_ARCHIVE', tarOf({ name: 'good' }, { name: 'good/x' })],
  ['FILES_BAD_ARCHIVE', tarOf({ name: 'good' }, { name: 'short', size: 100_000 })],
  ['FILES_BAD_ARCHIVE', tarOf({ name: 'good' }).subarray(0, 512)],
  ['FILES_BAD_ARCHIVE', new TextEncoder().encode('no archive')],
  ['FILES_TOO_LARGE', tarOf({ name: 'good' }, { name: 'large', size: 2 ** 32 })],
] as const

export function archiveCases(subject: Subject): void {
  subject.promise('files', (it) => {
    it('go in and come out as an archive', async (sandbox) => {
      const { files } = sandbox
      const data = new Uint8Array(300_000).map((_, i) => i % 253)
      await files.writeArchive(
        tarOf({ name: 'none/', type: '5' }, { name: 'a b/c', content: 'x' }, { name: 'empty' }),
        'in',
      )
      await files.write('in/grüße/世界', 'ü')
      await files.write(`in/${'long-name/'.repeat(15)}data`, data)
      const before = await tree(files, 'in')
      expect(before.slice(0, 4)).toEqual(['in/a b/', 'in/a b/c file 1', 'in/empty file 0', 'in/grüße/'])
      const archive = await bytesOf(files.readArchive('in'))
      await files.remove('in')
      await files.writeArchive(archive, 'in')
      expect(await tree(files, 'in')).toEqual(before)
      await files.remove('in')
      await files.writeArchive(zipped(new Uint8Array(archive)), 'in')
      expect(await tree(files, 'in')).toEqual(before)
      expect(Buffer.from(data).equals(await files.read(`in/${'long-name/'.repeat(15)}data`))).toBe(true)
    })

    it('as an archive are what the tarfile of Python says they are', async (sandbox) => {
      const { files } = sandbox
      await files.write('from/sub/ü', 'content')
      await files.write('from/empty', '')
      await files.write('host.tar', files.readArchive('from'))
      const listed = 'import tarfile\n[(m.name, m.size, m.isdir()) for m in tarfile.open("host.tar")]'
      expect(await evaluate(sandbox, listed)).toBe("[('empty', 0, False), ('sub', 0, True), ('sub/ü', 7, False)]")
      for (const [mode, format] of ['w:GNU', 'w:PAX', 'w:gz:GNU', 'w:gz:PAX'].map((one) => [
        one.slice(0, -4),
        one.slice(-3),
      ])) {
        const made = `with tarfile.open("made.tar", "${mode}", format=tarfile.${format}_FORMAT) as t: t.add("from", "${'n'.repeat(150)}")`
        await evaluate(sandbox, made)
        await files.writeArchive(files.stream('made.tar'), 'to')
        expect(await tree(files, `to/${'n'.repeat(150)}`)).toEqual([
          `to/${'n'.repeat(150)}/empty file 0`,
          `to/${'n'.repeat(150)}/sub/`,
          `to/${'n'.repeat(150)}/sub/ü file 7`,
        ])
        await files.remove('to')
      }
    })

    it('of an archive that is hostile or damaged are not written at all', async (sandbox) => {
      for (const [code, archive] of REFUSED) {
        await expect(sandbox.files.writeArchive(archive), code).rejects.toMatchObject({ code })
      }
      await expect(sandbox.files.writeArchive(tarOf(), '../x')).rejects.toMatchObject({ code: 'FILES_OUTSIDE' })
      for (const limits of [{ maxEntries: 1 }, { maxBytes: 2_000 }]) {
        const archive = tarOf({ name: 'a' }, { name: 'b', content: 'x' })
        await expect(sandbox.files.writeArchive(archive, '.', limits)).rejects.toMatchObject({
          code: 'FILES_TOO_LARGE',
        })
      }
      expect(await sandbox.files.list()).toEqual([])
    })

    it('of a stream that is refused are written up to there, and not outside', async (sandbox) => {
      const archive = tarOf({ name: 'good', content: 'x' }, { name: '../x', content: 'x' }, { name: 'late' })
      await expect(sandbox.files.writeArchive(zipped(new Uint8Array(archive)))).rejects.toMatchObject({
        code: 'FILES_OUTSIDE',
        message: expect.stringContaining('"../x"'),
      })
      expect(await sandbox.files.list()).toEqual([{ path: 'good', type: 'file', size: 1 }])
    })

    it('from an archive bring no permissions with them', async (sandbox) => {
      await sandbox.files.writeArchive(tarOf({ name: 'suid', content: '#!/bin/sh' }))
      expect(await evaluate(sandbox, 'import os\noct(os.stat("suid").st_mode & 0o7111)')).toBe("'0o0'")
    })

    it('cannot be read as an archive where there are none', async (sandbox) => {
      for (const [path, code] of [
        ['nowhere', 'FILES_NOT_FOUND'],
        ['../x', 'FILES_OUTSIDE'],
        ['', 'FILES_BAD_PATH'],
      ] as const) {
        await expect(bytesOf(sandbox.files.readArchive(path)), path).rejects.toMatchObject({ code })
      }
    })

    it(
      'behind links are neither packed nor unpacked over',
      async (sandbox) => {
        const { files } = sandbox
        await evaluate(
          sandbox,
          'import os\nos.symlink("/etc/passwd", "link")\nos.symlink("/etc", "dir")\nos.mkdir("real")',
        )
        expect(await bytesOf(files.readArchive())).toHaveLength(512 + 1024)
        await expect(bytesOf(files.readArchive('dir'))).rejects.toMatchObject({ code: 'FILES_OUTSIDE' })
        for (const archive of [
          tarOf({ name: 'link' }),
          tarOf({ name: 'dir/x' }),
          tarOf({ name: 'dir/x/', type: '5' }),
        ]) {
          await expect(files.writeArchive(archive)).rejects.toMatchObject({ code: 'FILES_OUTSIDE' })
        }
        await expect(files.writeArchive(tarOf({ name: 'x' }), 'dir')).rejects.toMatchObject({ code: 'FILES_OUTSIDE' })
        await expect(files.writeArchive(tarOf({ name: 'real' }))).rejects.toMatchObject({ code: 'FILES_NOT_REGULAR' })
      },
      'links',
    )
  })
}
