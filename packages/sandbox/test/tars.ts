/** What a test says of one entry; anything can be said, also what no archiver would. */
export interface MadeEntry {
  readonly name: string | Uint8Array
  readonly type?: string
  readonly content?: string | Uint8Array
  /** What the header says, where that is not the length of the content. */
  readonly size?: number | string
  readonly mode?: string
  readonly magic?: string
  readonly prefix?: string
}

export const END = Buffer.alloc(1024)

/** A tar made by hand, with its end. */
export const tarOf = (...entries: MadeEntry[]): Buffer => Buffer.concat([...entries.map(blocks), END])

/** The header of an entry, and its content. */
export function blocks(entry: MadeEntry): Buffer {
  const content = Buffer.from(entry.content ?? '')
  const size = entry.size ?? content.length
  const header = Buffer.alloc(512)
  header.set(Buffer.from(entry.name).subarray(0, 100))
  header.write(entry.mode ?? '0000644', 100)
  header.write(typeof size === 'number' ? size.toString(8).padStart(11, '0') : size, 124, 'latin1')
  header.write('00000000000', 136)
  header.write(entry.type ?? '0', 156, 'latin1')
  header.write('evil-target', 157)
  header.write(entry.magic ?? 'ustar\x0000', 257, 'latin1')
  header.write(entry.prefix ?? '', 345)
  header.fill(' ', 148, 156)
  header.write(
    `${[...header]
      .reduce((sum, byte) => sum + byte)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
    'latin1',
  )
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)])
}

/** The content of a pax header. */
export const pax = (records: Record<string, string>): string =>
  Object.entries(records)
    .map(([key, value]) => {
      const rest = ` ${key}=${value}\n`
      const bytes = Buffer.byteLength(rest)
      const digits = [1, 2, 3, 4, 5].find((count) => String(bytes + count).length === count) ?? 6
      return `${bytes + digits}${rest}`
    })
    .join('')

/** A file with a pax header before it. */
export const long = (records: Record<string, string>): Buffer => longText(pax(records))

export const longText = (content: string): Buffer =>
  Buffer.concat([blocks({ name: 'PaxHeader', type: 'x', content }), blocks({ name: 'n' })])

export const gnuLong = (name: string): Buffer =>
  Buffer.concat([blocks({ name: '././@LongLink', type: 'L', content: name }), blocks({ name: 'n' })])
