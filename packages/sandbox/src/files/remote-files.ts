import { CodeActError, type FileEntry } from '@codeact/spec'
import type { BackendFiles } from '../backend.ts'
import type { FileRequests } from './file-requests.ts'
import { insidePath } from './inside-path.ts'

const CHUNK_BYTES = 4 * 1024 * 1024
const TYPES = ['file', 'directory', 'link', 'other'] as const

/** The files of a sandbox that answers for them itself. `reach` gives whoever answers now, or starts it again. */
export class RemoteFiles implements BackendFiles {
  readonly #reach: () => Promise<FileRequests>

  constructor(reach: () => Promise<FileRequests>) {
    this.#reach = reach
  }

  async write(path: string, data: string | Uint8Array | ReadableStream<Uint8Array>): Promise<void> {
    const clean = insidePath(path)
    const files = await this.#reach()
    let offset = 0
    for await (const chunk of chunksOf(data)) {
      await files.ask('write', { path: clean, offset, data: Buffer.from(chunk).toString('base64') })
      offset += chunk.length
    }
    if (offset === 0) await files.ask('write', { path: clean, offset, data: '' })
  }

  async read(path: string): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    for await (const chunk of this.#chunks(path)) chunks.push(chunk)
    return new Uint8Array(Buffer.concat(chunks))
  }

  stream(path: string): ReadableStream<Uint8Array> {
    return ReadableStream.from(this.#chunks(path))
  }

  async list(path = '.'): Promise<readonly FileEntry[]> {
    const files = await this.#reach()
    const { entries } = await files.ask('list', { path: insidePath(path) })
    return entries.map(readEntry)
  }

  async remove(path: string): Promise<void> {
    const files = await this.#reach()
    await files.ask('remove', { path: insidePath(path) })
  }

  async makeFolder(path: string): Promise<void> {
    const files = await this.#reach()
    await files.ask('folder', { path: insidePath(path) })
  }

  async *#chunks(path: string): AsyncGenerator<Uint8Array, void, undefined> {
    const files = await this.#reach()
    const clean = insidePath(path)
    for (let offset = 0; ; ) {
      const { data } = await files.ask('read', { path: clean, offset, length: CHUNK_BYTES })
      const chunk = new Uint8Array(Buffer.from(String(data), 'base64'))
      if (chunk.length > 0) yield chunk
      if (chunk.length < CHUNK_BYTES) return
      offset += chunk.length
    }
  }
}

/** Data in pieces that a frame can carry. */
async function* chunksOf(data: string | Uint8Array | ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (data instanceof ReadableStream) {
    for await (const piece of data) yield* chunksOf(piece)
    return
  }
  const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data
  for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES) yield bytes.subarray(offset, offset + CHUNK_BYTES)
}

/** It comes from the sandbox: nothing in it is taken for granted. */
function readEntry(entry: unknown): FileEntry {
  const { path, type, size } = (entry ?? {}) as Partial<Record<keyof FileEntry, unknown>>
  const known = TYPES.find((name) => name === type)
  if (typeof path === 'string' && known !== undefined && typeof size === 'number') return { path, type: known, size }
  throw new CodeActError('PROTOCOL_ERROR', 'The sandbox sent a list of files that cannot be read.')
}
