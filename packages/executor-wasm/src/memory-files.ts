import { type FileRequests, insidePath, RemoteFiles } from '@codeact/sandbox'

/** The files of a sandbox, which lie in the memory of its Python and end with it. What the host wrote is kept for the next. */
export class MemoryFiles extends RemoteFiles {
  readonly #written = new Map<string, Uint8Array>()

  override async write(path: string, data: string | Uint8Array | ReadableStream<Uint8Array>): Promise<void> {
    const bytes = await allBytes(data)
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

  /** Gives a new Python what the host wrote to the ones before. */
  async restore(files: FileRequests): Promise<void> {
    const there = new RemoteFiles(async () => files)
    for (const [path, bytes] of this.#written) await there.write(path, bytes)
  }
}

async function allBytes(data: string | Uint8Array | ReadableStream<Uint8Array>): Promise<Uint8Array> {
  if (typeof data === 'string') return Buffer.from(data, 'utf8')
  if (data instanceof Uint8Array) return data.slice()
  const chunks: Uint8Array[] = []
  for await (const chunk of data) chunks.push(chunk)
  return Buffer.concat(chunks)
}
