/** One entry as a hostile archiver may write it. */
interface Entry {
  readonly name: string
  /** The digit of the format: `0` is a file, `5` a folder, `2` a symbolic link. Default `0`. */
  readonly type?: string
  readonly content?: string
  /** What the header says, where that is not the length of the content. */
  readonly size?: number
}

const BLOCK = 512
const text = new TextEncoder()

/** A tar, with its end. */
export function tarOf(...entries: Entry[]): Uint8Array {
  const blocks = [...entries.flatMap(blocksOf), new Uint8Array(2 * BLOCK)]
  const archive = new Uint8Array(blocks.reduce((size, block) => size + block.length, 0))
  let at = 0
  for (const block of blocks) {
    archive.set(block, at)
    at += block.length
  }
  return archive
}

function blocksOf({ name, type = '0', content = '', size }: Entry): Uint8Array[] {
  const bytes = text.encode(content)
  const header = new Uint8Array(BLOCK)
  const put = (value: string, at: number): void => header.set(text.encode(value), at)
  put(name, 0)
  put('0006777', 100)
  put((size ?? bytes.length).toString(8).padStart(11, '0'), 124)
  put('        ', 148)
  put(type, 156)
  put('/etc/passwd', 157)
  put('ustar\x0000', 257)
  put(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0`,
    148,
  )
  return [header, bytes, new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK)]
}
