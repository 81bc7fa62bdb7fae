import { insidePath } from '@codeact/sandbox'
import { CodeActError, type FileEntry, type SandboxFiles } from '@codeact/spec'
import type { FileRequests } from './file-requests.ts'

const CHUNK_BYTES = 4 * 1024 * 1024
const TYPES = ['file', 'directory', 'link', 'other'] as const

/**
 * The files of a sandbox, which lie in the memory of its Python and end with it. What the host wrote is kept here, so that a
 * new Python has it again.
 */
export class MemoryFiles implements SandboxFiles {
  readonly #reach: () => Promise<FileRequests>
  readonly #written = new Map<string, Uint8Array>()

  constructor(reach: () => Promise<FileRequests>) {
    this.#reach = reach
  }

  async write(path: string, data: string | Uint8Array | ReadableStream<Uint8Array>): Promise<void> {
    const clean = insidePath(path)
    const bytes = await allBytes(data)
    await writeTo(await this.#reach(), clean, bytes)
    this.#written.set(clean, bytes)
  }

  async read(path: string): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    for await (const chunk of this.#chunks(path)) chunks.push(chunk)
    return new Uint8Array(Buffer.concat(chunks))
  }

  async readText(path: string): Promise<string> {
    return new TextDecoder().decode(await this.read(path))
  }

  stream(path: string): ReadableStream<Uint8Array> {
    const chunks = this.#chunks(path)
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return(undefined)
      },
    })
  }

  async list(path = '.'): Promise<readonly FileEntry[]> {
    const files = await this.#reach()
    const { entries } = await files.ask('list', { path: insidePath(path) })
    return entries.map(readEntry)
  }

  async remove(path: string): Promise<void> {
    const clean = insidePath(path)
    const files = await this.#reach()
    await files.ask('remove', { path: clean })
    for (const known of this.#written.keys()) {
      if (known === clean || known.startsWith(`${clean}/`)) this.#written.delete(known)
    }
  }

  /** Gives a new Python what the host wrote to the ones before. */
  async restore(files: FileRequests): Promise<void> {
    for (const [path, bytes] of this.#written) await writeTo(files, path, bytes)
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

async function writeTo(files: FileRequests, path: string, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset === 0 || offset < bytes.length; offset += CHUNK_BYTES) {
    const chunk = bytes.subarray(offset, offset + CHUNK_BYTES)
    await files.ask('write', { path, offset, data: Buffer.from(chunk).toString('base64') })
  }
}

async function allBytes(data: string | Uint8Array | ReadableStream<Uint8Array>): Promise<Uint8Array> {
  if (typeof data === 'string') return Buffer.from(data, 'utf8')
  if (data instanceof Uint8Array) return data.slice()
  const chunks: Uint8Array[] = []
  for await (const chunk of data) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** It comes from the sandbox: nothing in it is taken for granted. */
function readEntry(entry: unknown): FileEntry {
  const { path, type, size } = (entry ?? {}) as Partial<Record<keyof FileEntry, unknown>>
  const known = TYPES.find((name) => name === type)
  if (typeof path === 'string' && known !== undefined && typeof size === 'number') return { path, type: known, size }
  throw new CodeActError('PROTOCOL_ERROR', 'The sandbox sent a list of files that cannot be read.')
}
