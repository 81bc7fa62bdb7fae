import { setImmediate } from 'node:timers/promises'
import type { ArchiveLimits } from '@codeact/spec'
import type { BackendFiles } from '../backend.ts'
import { ArchiveContents, tooLarge } from './archive-contents.ts'
import { ByteReader } from './byte-reader.ts'
import { gunzipped } from './gunzip.ts'
import { insidePath } from './inside-path.ts'
import { tarEntries } from './tar-reader.ts'

type Archive = Uint8Array | ReadableStream<Uint8Array>

interface Admitted {
  /** Relative to the working directory. */
  readonly path: string
  readonly type: 'file' | 'directory'
  readonly content: AsyncIterable<Uint8Array>
}

const DEFAULT_MAX_ENTRIES = 100_000
const DEFAULT_MAX_BYTES = 2 * 1024 ** 3
const PIECE_BYTES = 64 * 1024

/** `SandboxFiles.writeArchive`. Bytes are read twice, so that nothing is written of an archive that is refused. */
export async function unpack(
  files: BackendFiles,
  archive: Archive,
  path: string,
  { maxEntries = DEFAULT_MAX_ENTRIES, maxBytes = DEFAULT_MAX_BYTES }: ArchiveLimits,
): Promise<void> {
  const target = insidePath(path)
  const limits = { maxEntries, maxBytes }
  if (archive instanceof Uint8Array) await checkWhole(archive, target, limits)
  for await (const { path, type, content } of admitted(archive, target, limits)) {
    if (type === 'directory') await files.makeFolder(path)
    else await files.write(path, ReadableStream.from(content))
  }
  await files.makeFolder(target)
}

async function checkWhole(archive: Uint8Array, target: string, limits: Required<ArchiveLimits>): Promise<void> {
  for await (const _ of admitted(archive, target, limits));
}

async function* admitted(
  archive: Archive,
  target: string,
  limits: Required<ArchiveLimits>,
): AsyncGenerator<Admitted, void, undefined> {
  const chunks = archive instanceof Uint8Array ? only(archive) : archive
  const bytes = new ByteReader(measured(gunzipped(chunks), limits.maxBytes))
  const contents = new ArchiveContents(target, limits)
  try {
    for await (const entry of tarEntries(bytes)) yield { ...contents.admit(entry), content: entry.content }
  } finally {
    await bytes.close()
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/**
 * Headers count too: what is compressed well may be nothing but headers. Between the pieces the event loop has its turn, however
 * large the chunks are.
 */
async function* measured(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let total = 0
  let rested = 0
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const piece = chunk.subarray(start, start + PIECE_BYTES)
      total += piece.length
      if (total > maxBytes) throw tooLarge(`${maxBytes} bytes`, 'maxBytes')
      yield piece
      if (total - rested < PIECE_BYTES) continue
      rested = total
      await setImmediate()
    }
  }
}
