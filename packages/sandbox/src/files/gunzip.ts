import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { badArchive } from './bad-archive.ts'

const CHUNK_BYTES = 64 * 1024

/** The bytes as they are, or uncompressed where they begin as gzip does. */
export async function* gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const source = chunks[Symbol.asyncIterator]()
  try {
    const start = await firstBytes(source)
    const whole = startingWith(start, source)
    if (start[0] === 0x1f && start[1] === 0x8b) yield* uncompressed(whole)
    else yield* whole
  } finally {
    await source.return?.()
  }
}

/** At least two, where there are two. */
async function firstBytes(source: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let start: Uint8Array = new Uint8Array()
  while (start.length < 2) {
    const next = await source.next()
    if (next.done) break
    start = start.length === 0 ? next.value : Buffer.concat([start, next.value])
  }
  return start
}

async function* startingWith(start: Uint8Array, source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start
  for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
}

async function* uncompressed(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  // The callback hears of failures that the loop throws already.
  const gunzip = pipeline(chunks, createGunzip({ chunkSize: CHUNK_BYTES }), () => {})
  try {
    yield* gunzip
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code?.startsWith('Z_') ? badArchive('is damaged: it cannot be uncompressed') : error
  } finally {
    gunzip.destroy()
  }
}
