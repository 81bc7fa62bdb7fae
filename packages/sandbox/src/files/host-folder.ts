import { constants, createReadStream } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rm } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { CodeActError, type FileEntry } from '@codeact/spec'
import type { BackendFiles } from '../backend.ts'
import { insidePath } from './inside-path.ts'

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } = constants

/**
 * A folder on the host as a sandbox's files. Code in the sandbox may have put anything there, so links are never followed,
 * and only regular files are opened. `owner` gets what is written, where the sandbox runs as another user.
 */
export function hostFolderFiles(root: string, owner?: { readonly uid: number; readonly gid: number }): BackendFiles {
  return {
    async write(path, data) {
      const target = await within(root, path, { makeParents: true })
      const file = await openRegular(target, path, O_WRONLY | O_CREAT | O_TRUNC)
      try {
        if (owner !== undefined) await file.chown(owner.uid, owner.gid)
        await writeAll(file, path, data)
      } finally {
        await file.close()
      }
    },
    async read(path) {
      const file = await openRegular(await within(root, path), path, O_RDONLY)
      try {
        return new Uint8Array(await file.readFile())
      } finally {
        await file.close()
      }
    },
    stream(path) {
      return ReadableStream.from(chunks(root, path))
    },
    async list(path = '.') {
      const folder = await within(root, path)
      await refuseLink(folder, path)
      const names = await readdir(folder).catch((error) => Promise.reject(failed(error, path)))
      const entries = await Promise.all(names.sort().map((name) => entry(root, join(folder, name))))
      return entries.filter((one) => one !== undefined)
    },
    async makeFolder(path) {
      const base = await realRoot(root, path)
      const folder = await mkdirInside(base, join(base, insidePath(path)), path)
      if (!(await lstat(folder)).isDirectory()) throw new CodeActError('FILES_NOT_REGULAR', `${path} is not a folder.`)
    },
    async remove(path) {
      await rm(await within(root, path), { recursive: true }).catch((error) => Promise.reject(failed(error, path)))
    },
  }
}

async function* chunks(root: string, path: string): AsyncGenerator<Uint8Array> {
  const file = await openRegular(await within(root, path), path, O_RDONLY)
  yield* createReadStream('', { fd: file })
}

/** The host path of `path`, once its folder is known to be a real one inside the root. */
async function within(root: string, path: string, { makeParents = false } = {}): Promise<string> {
  const base = await realRoot(root, path)
  const target = join(base, insidePath(path))
  if (target === base) return base
  const parent = await realParent(base, dirname(target), path, makeParents)
  return join(parent, target.slice(dirname(target).length + 1))
}

/** It is gone when the sandbox was closed meanwhile. */
function realRoot(root: string, path: string): Promise<string> {
  return realpath(root).catch((error) => Promise.reject(failed(error, path)))
}

async function realParent(base: string, folder: string, path: string, makeParents: boolean): Promise<string> {
  if (makeParents) await mkdirInside(base, folder, path)
  const real = await realpath(folder).catch((error) => Promise.reject(failed(error, path)))
  if (real !== base && !real.startsWith(base + sep)) throw outside(path)
  return real
}

/** Makes one folder after the other, so that none is made behind a link that leads out; the real path of the last. */
async function mkdirInside(base: string, folder: string, path: string): Promise<string> {
  let current = base
  for (const part of relative(base, folder).split(sep).filter(Boolean)) {
    current = join(current, part)
    await mkdir(current).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw failed(error, path)
    })
    const real = await realpath(current).catch((error) => Promise.reject(failed(error, path)))
    if (!real.startsWith(base + sep)) throw outside(path)
    current = real
  }
  return current
}

async function openRegular(target: string, path: string, flags: number): Promise<FileHandle> {
  // Without O_NONBLOCK, opening a FIFO would wait for whoever is at its other end.
  const file = await open(target, flags | O_NOFOLLOW | O_NONBLOCK, 0o644).catch((error) =>
    Promise.reject(failed(error, path)),
  )
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new CodeActError('FILES_NOT_REGULAR', `${path} is not a regular file.`)
}

async function writeAll(
  file: FileHandle,
  path: string,
  data: string | Uint8Array | ReadableStream<Uint8Array>,
): Promise<void> {
  const append = (chunk: string | Uint8Array): Promise<void> =>
    file.appendFile(chunk).catch((error) => Promise.reject(failed(error, path)))
  if (!(data instanceof ReadableStream)) return append(data)
  for await (const chunk of data) await append(chunk)
}

async function refuseLink(target: string, path: string): Promise<void> {
  const stat = await lstat(target).catch((error) => Promise.reject(failed(error, path)))
  if (stat.isSymbolicLink()) throw outside(path)
}

/** `undefined` for one that went away while its folder was listed. */
async function entry(root: string, target: string): Promise<FileEntry | undefined> {
  const stat = await lstat(target).catch(() => undefined)
  if (stat === undefined) return undefined
  const path = relative(await realpath(root), target)
    .split(sep)
    .join('/')
  if (stat.isFile()) return { path, type: 'file', size: stat.size }
  return { path, type: stat.isDirectory() ? 'directory' : stat.isSymbolicLink() ? 'link' : 'other', size: 0 }
}

function failed(error: NodeJS.ErrnoException, path: string): CodeActError {
  if (CodeActError.is(error)) return error
  if (error.code === 'ENOENT') return new CodeActError('FILES_NOT_FOUND', `There is no file ${path}.`)
  if (error.code === 'ELOOP') return outside(path)
  if (error.code === 'ENXIO') return new CodeActError('FILES_NOT_REGULAR', `${path} is not a regular file.`)
  if (error.code === 'EISDIR') return new CodeActError('FILES_NOT_REGULAR', `${path} is a folder.`)
  return new CodeActError('FILES_FAILED', `${path}: ${error.code ?? error.message}`)
}

function outside(path: string): CodeActError {
  return new CodeActError('FILES_OUTSIDE', `${path} goes through a link, which files do not follow.`)
}
