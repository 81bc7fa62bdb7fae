import { expect } from 'vitest'
import { evaluate, type Subject } from './subject.ts'

export function fileCases(subject: Subject): void {
  subject.promise('files', (it) => {
    it('go in and come out', async (sandbox) => {
      await sandbox.files.write('data/in.txt', 'grüße')
      await evaluate(sandbox, 'open("data/out.bin", "wb").write(open("data/in.txt", "rb").read().upper()) and None')
      expect(await sandbox.files.readText('data/out.bin')).toBe('GRüßE')
      expect(await sandbox.files.list('data')).toEqual([
        { path: 'data/in.txt', type: 'file', size: 7 },
        { path: 'data/out.bin', type: 'file', size: 7 },
      ])
      await sandbox.files.remove('data')
      expect(await sandbox.files.list()).toEqual([])
    })

    it('are there when the first cell runs', async () => {
      const sandbox = await subject.open({}, { files: { 'a.txt': 'one', 'b/c.bin': new Uint8Array([1, 2, 3]) } })
      expect(await evaluate(sandbox, 'open("a.txt").read(), open("b/c.bin", "rb").read()')).toBe(
        "('one', b'\\x01\\x02\\x03')",
      )
    })

    it('stream', async (sandbox) => {
      const big = new Uint8Array(3_000_000).fill(7)
      await sandbox.files.write('big', new Blob([big]).stream())
      let size = 0
      for await (const chunk of sandbox.files.stream('big')) size += chunk.length
      expect(size).toBe(big.length)
      expect(await evaluate(sandbox, 'import os\nos.path.getsize("big")')).toBe('3000000')
    })

    it('do not lead out', async (sandbox) => {
      for (const path of ['../x', '/etc/passwd', 'a/../../x']) {
        await expect(sandbox.files.read(path), path).rejects.toMatchObject({ code: 'FILES_OUTSIDE' })
      }
      for (const path of ['', 'a\0b', 'x'.repeat(5000)]) {
        await expect(sandbox.files.read(path), path).rejects.toMatchObject({ code: 'FILES_BAD_PATH' })
      }
    })

    it('that are missing are told by code', async (sandbox) => {
      await expect(sandbox.files.read('nowhere')).rejects.toMatchObject({ code: 'FILES_NOT_FOUND' })
    })

    it(
      'behind links are not followed',
      async (sandbox) => {
        await evaluate(sandbox, 'import os\nos.symlink("/etc/passwd", "link")\nos.symlink("/etc", "dir")')
        await expect(sandbox.files.read('link')).rejects.toMatchObject({ code: 'FILES_OUTSIDE' })
        await expect(sandbox.files.read('dir/passwd')).rejects.toMatchObject({ code: 'FILES_OUTSIDE' })
        await expect(sandbox.files.write('dir/x', 'x')).rejects.toMatchObject({ code: 'FILES_OUTSIDE' })
      },
      'links',
    )
  })
}
