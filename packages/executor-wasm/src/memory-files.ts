import { type FileRequests, insidePath, RemoteFiles } from '@codeact/sandbox'
import { CodeActError } from '@codeact/spec'

/** The files of a sandbox, which lie in the memory of its Python and end with it. What the host wrote is kept for the next. */
export class MemoryFiles extends RemoteFiles {
  readonly #maxBytes: number
  readonly #written = new Map<string, Uint8Array | 'folder'>()

  /** No file can have more than `maxBytes`: a longer one is refused before it fills the host's memory. */
  constructor(reach: () => Promise<FileRequests>, maxBytes: number) {
    super(reach)
    this.#maxBytes = maxBytes
  }

  override async write(path: string, data: string | Uint8Array | ReadableStream<Uint8Array>): Promise<void> {
    const bytes = await allBytes(data, this.#maxBytes, path)
    await super.write(path, bytes)
    this.#written.set(insidePath(path), bytes)
  }

  override async remove(path: string): Promise<void> {
    await super.remove(path)
    const clean = insidePath(path)
    for (const known of this.#written.keys()) {
      if (known === clean || known.startsWith(`${clean}/`)) this.#written.delete(known)
    }
  }

  override async makeFolder(path: string): Promise<void> {
    await super.makeFolder(path)
    this.#written.set(insidePath(path), 'folder')
  }

  /** Gives a new Python what the host wrote to the ones before. */
  async restore(files: FileRequests): Promise<void> {
    const there = new RemoteFiles(async () => files)
    for (const [path, bytes] of this.#written) {
      await (bytes === 'folder' ? there.makeFolder(path) : there.write(path, bytes))
    }
  }
}

async function allBytes(
  data: string | Uint8Array | ReadableStream<Uint8Array>,
  maxBytes: number,
  path: string,
): Promise<Uint8Array> {
  if (typeof data === 'string') return Buffer.from(data, 'utf8')
  if (data instanceof Uint8Array) return data.slice()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of data) {
    size += chunk.length
    if (size > maxBytes) throw new CodeActError('FILES_FAILED', `${path}: No space left on device`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
