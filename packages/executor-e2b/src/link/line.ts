/** One line of a link, as `lines.py` has it on the other side: `~<session> <seq> <ack> <kind> <data>.` */
export interface Line {
  /** Which host of the far end this belongs to: each has a higher number than the last. */
  readonly session: number
  /** Messages are counted from 1; 0 is none. */
  readonly seq: number
  /** The last message that the writer of this line has received. */
  readonly ack: number
  /**
   * `d`: data in base64; `f`: the name of a file with the data; `z` and `g`: the same, deflated; `a`: nothing more; `s`: where are
   * you, and send the rest again.
   */
  readonly kind: string
  readonly data: string
}

export function encodeLine({ session, seq, ack, kind, data }: Line): string {
  return `~${session} ${seq} ${ack} ${kind} ${data}.\n`
}

const LINE = /^~(\d{1,16}) (\d{1,16}) (\d{1,16}) ([dfzgas]) ([\w+/=-]*)\.$/
/** Nothing longer is a line: what is long goes through a file. */
const LONGEST = 1024 * 1024

/** Text in, lines out, however it is cut. What is cut off at either end is no line, nor is anything else that comes between. */
export class LineReader {
  #parts: string[] = []
  #length = 0

  feed(text: string): Line[] {
    const [first = '', ...others] = text.split('\n')
    this.#keep(first)
    if (others.length === 0) return []
    const whole = this.#parts.join('')
    this.reset()
    this.#keep(others.pop() ?? '')
    return [whole, ...others].flatMap(parseLine)
  }

  reset(): void {
    this.#parts = []
    this.#length = 0
  }

  #keep(text: string): void {
    this.#length += text.length
    if (this.#length <= LONGEST) this.#parts.push(text)
  }
}

function parseLine(text: string): Line[] {
  const match = LINE.exec(text)
  if (match === null) return []
  const [, session, seq, ack, kind = '', data = ''] = match
  return [{ session: Number(session), seq: Number(seq), ack: Number(ack), kind, data }]
}
