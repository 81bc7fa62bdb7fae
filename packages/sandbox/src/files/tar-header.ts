import { badArchive } from './bad-archive.ts'

/** A tar is made of blocks of this many bytes; contents are filled up with zeros to the next one. */
export const BLOCK = 512

/** One header block, before what pax and GNU headers say about the entry is applied. */
export interface TarHeader {
  readonly name: string
  /** The letter or digit of the format: `0` a file, `5` a folder, `x` a pax header. */
  readonly type: string
  /** Bytes of what follows. */
  readonly size: number
}

const NAME = [0, 100] as const
const SIZE = [124, 136] as const
const CHECKSUM = [148, 156] as const
const TYPE = 156
const MAGIC = [257, 263] as const
const PREFIX = [345, 500] as const
const LARGEST_OCTAL_SIZE = 0o77777777777

/** How many bytes of zeros follow `size` bytes of content. */
export const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

/** Reads a block; `undefined` for one of zeros, which marks the end. */
export function decodeHeader(block: Uint8Array): TarHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined
  if (decodeNumber(block.subarray(...CHECKSUM)) !== checksum(block)) throw badArchive('is not a tar, or is damaged')
  const name = decodeText(block.subarray(...NAME))
  const prefix = decodeText(block.subarray(...MAGIC)) === 'ustar' ? decodePrefix(block) : ''
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    type: block[TYPE] === 0 ? '0' : String.fromCharCode(block[TYPE]!),
    size: decodeNumber(block.subarray(...SIZE)),
  }
}

/** The blocks that announce a file of `size` bytes, or a folder, last changed at `seconds`. */
export function encodeHeader(name: string, type: '0' | '5', size: number, seconds: number): Uint8Array {
  const long = [
    ...(/^[ -~]{1,100}$/.test(name) ? [] : [paxRecord('path', name)]),
    ...(size > LARGEST_OCTAL_SIZE ? [paxRecord('size', String(size))] : []),
  ]
  if (long.length === 0) return encodeBlock(name, type, size, seconds)
  const records = Buffer.concat(long)
  return Buffer.concat([
    encodeBlock('PaxHeader', 'x', records.length, seconds),
    records,
    new Uint8Array(padding(records.length)),
    encodeBlock(asPlainName(name), type, size, seconds),
  ])
}

/** Text of the archive, up to the first zero. A name in another encoding would come out as another name. */
export function decodeText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(end < 0 ? bytes : bytes.subarray(0, end))
  } catch {
    throw badArchive('has a name that is not in UTF-8')
  }
}

/** GNU and old tars keep other things where POSIX keeps the beginning of a long name. */
const decodePrefix = (block: Uint8Array): string =>
  block[MAGIC[1] - 1] === 0 ? decodeText(block.subarray(...PREFIX)) : ''

/** Octal digits, or from 8 GiB on a number in binary after a byte that says so. */
function decodeNumber(field: Uint8Array): number {
  if (field[0] === 0x80) return checkedSize(field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0))
  const text = Buffer.from(field).toString('latin1')
  const digits = /^ *([0-7]*)[ \0]*$/.exec(text.replace(/\0.*$/s, ''))?.[1]
  return checkedSize(digits === undefined ? Number.NaN : Number.parseInt(digits || '0', 8))
}

export function checkedSize(size: number): number {
  if (!Number.isSafeInteger(size) || size < 0) throw badArchive('is damaged: a size in it is none')
  return size
}

/** The sum of a header's bytes, in which its own digits count as spaces. */
function checksum(block: Uint8Array): number {
  const own = block.subarray(...CHECKSUM)
  return sum(block) - sum(own) + own.length * 0x20
}

const sum = (bytes: Uint8Array): number => bytes.reduce((total, byte) => total + byte, 0)

function encodeBlock(name: string, type: string, size: number, seconds: number): Uint8Array {
  const block = Buffer.alloc(BLOCK)
  block.write(name, NAME[0], 'latin1')
  block.write(type === '5' ? '0000755' : '0000644', 100, 'latin1')
  block.write('0000000', 108, 'latin1')
  block.write('0000000', 116, 'latin1')
  block.write((size > LARGEST_OCTAL_SIZE ? 0 : size).toString(8).padStart(11, '0'), SIZE[0], 'latin1')
  block.write(Math.floor(seconds).toString(8).padStart(11, '0'), 136, 'latin1')
  block.write(type, TYPE, 'latin1')
  block.write('ustar\x0000', MAGIC[0], 'latin1')
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, CHECKSUM[0], 'latin1')
  return block
}

/** For readers that do not know pax. */
const asPlainName = (name: string): string =>
  name
    .replace(/[^ -~]/gu, '_')
    .slice(-99)
    .replace(/^\/+/, '')

/** `<length> <key>=<value>\n`, where the length counts its own digits. */
function paxRecord(key: string, value: string): Uint8Array {
  const rest = Buffer.from(` ${key}=${value}\n`)
  let length = rest.length + 1
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length
  return Buffer.concat([Buffer.from(String(length)), rest])
}
