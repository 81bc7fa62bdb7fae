import { type ArchiveLimits, CodeActError } from '@codeact/spec'
import { badArchive, quoted } from './bad-archive.ts'
import { insidePath } from './inside-path.ts'
import type { TarEntry } from './tar-reader.ts'

/** What is seen so far, by the parts of its names. `undefined` is a file. */
type Folder = Map<string, Folder | undefined>

const LONGEST_NAME_BYTES = 255

const KINDS: Readonly<Record<string, string>> = {
  '1': 'a hard link',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a FIFO',
}

/** What of an archive may be written, and to where: each entry is looked at on its own and beside those before it. */
export class ArchiveContents {
  readonly #target: string
  readonly #limits: Required<ArchiveLimits>
  readonly #root: Folder = new Map()
  #entries = 0
  #bytes = 0

  constructor(target: string, limits: Required<ArchiveLimits>) {
    this.#target = target
    this.#limits = limits
  }

  /** Where an entry belongs in the sandbox, or a `CodeActError` that names it. */
  admit(entry: TarEntry): { readonly path: string; readonly type: 'file' | 'directory' } {
    const type = typeOf(entry)
    const parts = partsOf(entry.name, type)
    this.#bytes += entry.size
    if (this.#bytes > this.#limits.maxBytes) throw tooLarge(`${this.#limits.maxBytes} bytes`, 'maxBytes')
    this.#place(entry.name, parts, type)
    const path = insidePath([this.#target, ...parts].join('/'))
    return { path, type }
  }

  #place(name: string, parts: readonly string[], type: 'file' | 'directory'): void {
    let folder = this.#root
    for (const [index, part] of parts.entries()) {
      const isFile = type === 'file' && index === parts.length - 1
      if (!folder.has(part)) folder.set(part, this.#count(isFile ? undefined : new Map()))
      else if (isFile) throw badArchive(`has ${quoted(name)} twice`)
      const next = folder.get(part)
      if (isFile) return
      if (next === undefined)
        throw badArchive(`has ${quoted(parts.slice(0, index + 1).join('/'))} as file and as folder`)
      folder = next
    }
  }

  /** Folders that only a name implies are made, and count, too. */
  #count<T>(thing: T): T {
    this.#entries += 1
    if (this.#entries > this.#limits.maxEntries) throw tooLarge(`${this.#limits.maxEntries} entries`, 'maxEntries')
    return thing
  }
}

/** More than a limit allows. */
export function tooLarge(limit: string, option: keyof ArchiveLimits): CodeActError {
  return new CodeActError('FILES_TOO_LARGE', `The archive has more than ${limit}.`, {
    hint: `If you trust it, raise ${option} in the third argument of writeArchive.`,
  })
}

function typeOf({ name, type, size, isSparse }: TarEntry): 'file' | 'directory' {
  if (isSparse) throw refused(name, 'a sparse file', 'Make the archive without the option --sparse.')
  if (type === '5' || (type === '0' && name.endsWith('/'))) {
    if (size > 0) throw badArchive(`is damaged: the folder ${quoted(name)} has a size`)
    return 'directory'
  }
  if (type === '0' || type === '7') return 'file'
  throw refused(
    name,
    KINDS[type] ?? `of the unknown kind ${quoted(type)}`,
    type === '1' || type === '2'
      ? 'Make the archive with what links stand for: tar --dereference --hard-dereference.'
      : 'Make the archive of files and folders only.',
  )
}

/** The parts of a name; none for the folder that is unpacked into. */
function partsOf(name: string, type: 'file' | 'directory'): string[] {
  const parts = checkedName(name).split('/')
  if (name.split('/').includes('..')) throw outside(name)
  if (parts.some((part) => Buffer.byteLength(part) > LONGEST_NAME_BYTES)) throw noName(name)
  if (parts[0] !== '.') return parts
  if (type === 'file') throw noName(name)
  return []
}

function checkedName(name: string): string {
  try {
    return insidePath(name)
  } catch (error) {
    throw CodeActError.is(error) && error.code === 'FILES_OUTSIDE' ? outside(name) : noName(name)
  }
}

function refused(name: string, what: string, hint: string): CodeActError {
  return new CodeActError('FILES_NOT_REGULAR', `The archive's entry ${quoted(name)} is ${what}.`, { hint })
}

function outside(name: string): CodeActError {
  return new CodeActError('FILES_OUTSIDE', `The archive's entry ${quoted(name)} leads out of the folder.`, {
    hint: 'Make the archive with names relative to the folder, without "..".',
  })
}

function noName(name: string): CodeActError {
  return new CodeActError('FILES_BAD_PATH', `The archive's entry ${quoted(name)} has no name that a file can have.`)
}
