import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '@codeact/spec'
import { expect } from 'vitest'
import { type FaultCase, lines } from './fault.ts'

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  )

/** What every way of touching a path comes to. */
async function allWays({ files }: Sandbox, path: string): Promise<string[]> {
  return Promise.all([
    outcome(files.read(path)),
    outcome(files.readText(path)),
    outcome(files.write(path, 'x')),
    outcome(new Response(files.stream(path)).text()),
    outcome(files.list(path)),
    outcome(files.remove(path)),
  ])
}

/** Paths that lead out, and things in the working directory that are no files. */
export const FILES: readonly FaultCase[] = [
  {
    promise: 'files',
    title: 'paths that lead out',
    async run({ sandbox }) {
      for (const path of ['../x', '/etc/passwd', 'a/../../x', '..', 'a/b/../../../x', 'C:\\x', '\\x']) {
        for (const code of await allWays(sandbox, path)) expect(code, path).toBe('FILES_OUTSIDE')
      }
    },
  },
  {
    promise: 'files',
    title: 'paths that no file can have',
    async run({ sandbox }) {
      for (const path of ['', 'a\0b', '\0', 'x'.repeat(5000)]) {
        for (const code of await allWays(sandbox, path)) expect(code, path.slice(0, 20)).toBe('FILES_BAD_PATH')
      }
      for (const code of await allWays(sandbox, 'x'.repeat(300))) expect(code).toMatch(/^FILES_/)
    },
  },
  {
    promise: 'files',
    title: 'names that are odd, and yet names',
    async run(trial) {
      const { files } = trial.sandbox
      const names = [
        'trailing ',
        'trailing.',
        ' leading',
        'grüße',
        'A',
        'a',
        'new\nline',
        '__proto__',
        '-rf',
        '~',
        '$HOME',
      ]
      for (const name of names) await files.write(name, name)
      for (const name of names) expect(await files.readText(name)).toBe(name)
      expect(await trial.evaluate('import os\nlen(os.listdir("."))')).toBe(String(names.length))
      for (const name of names) await files.remove(name)
      expect(await files.list()).toEqual([])
    },
  },
  {
    promise: 'files.links',
    title: 'links, wherever they point and however deep',
    async run(trial) {
      const host = await mkdtemp(join(tmpdir(), 'of-the-host-'))
      await writeFile(join(host, 'passwd'), trial.bait.secret)
      const code = lines(
        'import os',
        `os.symlink(${JSON.stringify(join(host, 'passwd'))}, "file")`,
        `os.symlink(${JSON.stringify(host)}, "folder")`,
        'os.symlink("../..", "up")',
        'os.symlink("loop", "loop")',
        'os.symlink("missing", "dangling")',
        'os.mkdir("d"); os.symlink("../folder", "d/deep")',
      )
      await trial.play([{ code, expect: { status: 'ok' } }])
      const { files } = trial.sandbox
      for (const path of ['file', 'folder/passwd', 'up/etc/passwd', 'loop', 'd/deep/passwd', 'dangling']) {
        expect(await outcome(files.read(path)), path).toMatch(/^FILES_(OUTSIDE|NOT_FOUND)$/)
        expect(await outcome(files.write(path, 'x')), path).toMatch(/^FILES_(OUTSIDE|NOT_FOUND)$/)
        expect(await outcome(new Response(files.stream(path)).text()), path).toMatch(/^FILES_(OUTSIDE|NOT_FOUND)$/)
      }
      expect(await outcome(files.list('folder'))).toBe('FILES_OUTSIDE')
      for (const { path, type } of await files.list())
        expect([path, type]).toEqual([path, path === 'd' ? 'directory' : 'link'])
      for (const path of ['folder', 'file', 'd']) await files.remove(path)
      expect(await readFile(join(host, 'passwd'), 'utf8'), 'the file of the host').toBe(trial.bait.secret)
      await rm(host, { recursive: true })
    },
  },
  {
    promise: 'files',
    title: 'pipes, sockets and devices are refused at once',
    async run(trial) {
      const code = lines(
        'import os, socket, stat',
        'os.mkfifo("pipe")',
        'socket.socket(socket.AF_UNIX).bind("socket")',
        'try: os.mknod("device", 0o666 | stat.S_IFCHR, os.makedev(1, 5))',
        'except OSError: os.mkfifo("device")',
      )
      await trial.play([{ code, expect: { status: 'ok' } }])
      const { files } = trial.sandbox
      for (const path of ['pipe', 'socket', 'device']) {
        expect(await outcome(files.read(path)), path).toBe('FILES_NOT_REGULAR')
        expect(await outcome(files.write(path, 'x')), path).toBe('FILES_NOT_REGULAR')
        expect(await outcome(new Response(files.stream(path)).text()), path).toBe('FILES_NOT_REGULAR')
      }
      expect((await files.list()).map(({ type }) => type)).toEqual(['other', 'other', 'other'])
      for (const path of ['pipe', 'socket', 'device']) await files.remove(path)
    },
  },
  {
    promise: 'files',
    title: 'a folder for a file, a file for a folder, and rights that are taken away',
    async run(trial) {
      const code =
        'import os\nos.mkdir("folder")\nopen("file", "w").close()\nopen("locked", "w").close()\nos.chmod("locked", 0)'
      await trial.play([{ code, expect: { status: 'ok' } }])
      const { files } = trial.sandbox
      expect(await outcome(files.read('folder'))).toBe('FILES_NOT_REGULAR')
      expect(await outcome(files.write('folder', 'x'))).toBe('FILES_NOT_REGULAR')
      expect(await outcome(files.write('file/below', 'x'))).toMatch(/^FILES_/)
      expect(await outcome(files.list('file'))).toMatch(/^FILES_/)
      expect(await outcome(files.read('locked'))).toMatch(/^(done|FILES_.*)$/)
    },
  },
]
