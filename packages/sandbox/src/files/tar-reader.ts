import { badArchive, quoted } from './bad-archive.ts'
import type { ByteReader } from './byte-reader.ts'
import { BLOCK, checkedSize, decodeHeader, decodeText, padding, type TarHeader } from './tar-header.ts'

/** One entry as the archive has it: nothing about it is checked but that it can be read. */
export interface TarEntry extends TarHeader {
  /** Files with holes, whose contents would come out as something else. */
  readonly isSparse: boolean
  /** To be taken before the next entry is, or not at all. */
  readonly content: AsyncIterable<Uint8Array>
}

/** What pax and GNU headers say about the entry after them. */
interface Attributes {
  readonly path?: string
  readonly size?: number
  readonly isSparse?: boolean
}

const LONGEST_HEADER = 256 * 1024
const HEADERS = ['x', 'g', 'L', 'K']

/**
 * The entries of a tar, as its bytes come in (ustar, pax, GNU, the seventh edition's). One that is damaged, or ends before its
 * end, is `FILES_BAD_ARCHIVE`. Work and memory are in proportion to the bytes, whatever they say.
 */
export async function* tarEntries(bytes: ByteReader): AsyncGenerator<TarEntry, void, undefined> {
  let attributes: Attributes = {}
  for (;;) {
    const header = decodeHeader(await wholeBlock(bytes))
    if (header === undefined) return onlyZeros(bytes)
    if (HEADERS.includes(header.type)) {
      attributes = { ...attributes, ...attributesOf(header.type, await longHeader(bytes, header)) }
      continue
    }
    const { path: name = header.name, size = header.size, isSparse = false } = attributes
    attributes = {}
    const body = new Body(bytes, name, size)
    yield { name, type: header.type, size, isSparse: isSparse || header.type === 'S', content: body.chunks() }
    await body.skip()
  }
}

/** What follows a header, up to the next one. */
class Body {
  readonly #bytes: ByteReader
  readonly #name: string
  #left: number
  readonly #padding: number

  constructor(bytes: ByteReader, name: string, size: number) {
    this.#bytes = bytes
    this.#name = name
    this.#left = size
    this.#padding = padding(size)
  }

  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    while (this.#left > 0) {
      const piece = await this.#bytes.some(this.#left)
      if (piece.length === 0) throw badArchive(`ends in the middle of ${quoted(this.#name)}`)
      this.#left -= piece.length
      yield piece
    }
  }

  async skip(): Promise<void> {
    this.#left += this.#padding
    for await (const _ of this.chunks());
  }
}

async function wholeBlock(bytes: ByteReader): Promise<Uint8Array> {
  const block = await bytes.take(BLOCK)
  if (block.length < BLOCK) throw badArchive('ends before its end is marked')
  return block
}

/** Some readers would go on after the end, and find what others do not. */
async function onlyZeros(bytes: ByteReader): Promise<void> {
  for (;;) {
    const piece = await bytes.some(Number.MAX_SAFE_INTEGER)
    if (piece.length === 0) return
    if (piece.some((byte) => byte !== 0)) throw badArchive('goes on after its end')
  }
}

async function longHeader(bytes: ByteReader, { size }: TarHeader): Promise<Uint8Array> {
  if (size > LONGEST_HEADER) throw badArchive('has a header of more than 256 KiB')
  const header = await bytes.take(size + padding(size))
  if (header.length < size + padding(size)) throw badArchive('ends in the middle of a header')
  return header.subarray(0, size)
}

function attributesOf(type: string, header: Uint8Array): Attributes {
  if (type === 'L') return { path: decodeText(header) }
  if (type === 'K') return {}
  const attributes = paxAttributes(header)
  if (type === 'x') return attributes
  // Git writes one with a comment. Names and sizes for all entries at once make no sense.
  if (Object.keys(attributes).length > 0) throw badArchive('has a global header that names files')
  return {}
}

function paxAttributes(header: Uint8Array): Attributes {
  const attributes: { path?: string; size?: number; isSparse?: boolean } = {}
  for (const [key, value] of paxRecords(header)) {
    if (key === 'path') attributes.path = new TextDecoder('utf-8', { ignoreBOM: true }).decode(value)
    else if (key === 'size') attributes.size = decimal(value)
    else if (key.startsWith('GNU.sparse.')) attributes.isSparse = true
  }
  return attributes
}

function* paxRecords(header: Uint8Array): Generator<[key: string, value: Uint8Array]> {
  for (let start = 0; start < header.length; ) {
    const space = header.subarray(start, start + 8).indexOf(0x20)
    const length = space < 1 ? 0 : decimal(header.subarray(start, start + space))
    const record = header.subarray(start + space + 1, start + length)
    const equals = record.indexOf(0x3d)
    if (start + length > header.length || equals < 1 || record.at(-1) !== 0x0a) throw badArchive('has a damaged header')
    yield [Buffer.from(record.subarray(0, equals)).toString('latin1'), record.subarray(equals + 1, -1)]
    start += length
  }
}

function decimal(digits: Uint8Array): number {
  const text = Buffer.from(digits).toString('latin1')
  return checkedSize(/^\d{1,16}$/.test(text) ? Number(text) : Number.NaN)
}
