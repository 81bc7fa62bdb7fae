import { posix } from 'node:path'
import { CodeActError, type FileEntry } from '@codeact/spec'
import type { BackendFiles } from '../backend.ts'
import { insidePath } from './inside-path.ts'
import { BLOCK, encodeHeader, padding } from './tar-header.ts'

/** `SandboxFiles.readArchive`: folder after folder and chunk after chunk, as they are asked for. */
export async function* pack(files: BackendFiles, path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const seconds = Date.now() / 1000
  const start = insidePath(path)
  for await (const entry of entriesAt(files, start)) {
    const name = nameBelow(start, entry)
    if (entry.type === 'directory') yield encodeHeader(`${name}/`, '5', 0, seconds)
    else {
      yield encodeHeader(name, '0', entry.size, seconds)
      yield* contentOf(files, entry)
    }
  }
  yield new Uint8Array(2 * BLOCK)
}

/** A file is called by its own name, what is in a folder by the way from there. */
function nameBelow(start: string, { path }: FileEntry): string {
  if (path === start) return posix.basename(path)
  return start === '.' ? path : path.slice(start.length + 1)
}

async function* entriesAt(files: BackendFiles, path: string): AsyncGenerator<FileEntry, void, undefined> {
  const entry = path === '.' ? undefined : await find(files, path)
  if (entry?.type === 'file') yield entry
  else yield* entriesBelow(files, path)
}

async function find(files: BackendFiles, path: string): Promise<FileEntry> {
  const entry = (await children(files, posix.dirname(path))).find((one) => one.path === path)
  if (entry === undefined) throw new CodeActError('FILES_NOT_FOUND', `There is no file ${path}.`)
  if (entry.type === 'link') {
    throw new CodeActError('FILES_OUTSIDE', `${path} goes through a link, which files do not follow.`)
  }
  if (entry.type === 'other') throw new CodeActError('FILES_NOT_REGULAR', `${path} is neither a file nor a folder.`)
  return entry
}

/** Files and folders; a folder comes before what is in it. */
async function* entriesBelow(files: BackendFiles, folder: string): AsyncGenerator<FileEntry, void, undefined> {
  for (const entry of await children(files, folder)) {
    if (entry.type !== 'file' && entry.type !== 'directory') continue
    yield entry
    if (entry.type === 'directory') yield* entriesBelow(files, entry.path)
  }
}

/** A list may come from a sandbox that the code has taken over: one that leads elsewhere would have no end, or lead out. */
async function children(files: BackendFiles, folder: string): Promise<readonly FileEntry[]> {
  const entries = await files.list(folder)
  const prefix = folder === '.' ? '' : `${folder}/`
  for (const { path, size } of entries) {
    const name = path.slice(prefix.length)
    const isChild = path === prefix + name && !/^\.{0,2}$|[/\0]/.test(name)
    if (!isChild || !Number.isSafeInteger(size) || size < 0) {
      throw new CodeActError('PROTOCOL_ERROR', 'The sandbox sent a list of files that cannot be.')
    }
  }
  return entries
}

/** As many bytes as were announced, or an error: after another number, a reader would take contents for headers. */
async function* contentOf(files: BackendFiles, { path, size }: FileEntry): AsyncGenerator<Uint8Array, void, undefined> {
  let left = size
  for await (const chunk of files.stream(path)) {
    left -= chunk.length
    if (left < 0) throw changed(path)
    yield chunk
  }
  if (left > 0) throw changed(path)
  yield new Uint8Array(padding(size))
}

function changed(path: string): CodeActError {
  return new CodeActError('FILES_CHANGED', `${path} changed its size while it was read.`, {
    hint: 'Read the archive when nothing is writing there.',
    isRetryable: true,
  })
}
