import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'

/** How a kernel ended, as its keeper tells it. */
export interface Death {
  readonly code: number | null
  readonly signal: number | null
  /** Whether it was killed for having closed its channels. */
  readonly cut: boolean
  /** Whether there is a copy to go on. Where there is none the keeper ends as well, if it does not stay for twins of the kernel. */
  readonly copy: boolean
  readonly stays: boolean
}

/** No keeper says more at once. */
const LONGEST_LINE = 1000

/** The line to a keeper. It could be the code that speaks: what cannot be understood is taken for a death without a copy. */
export class KeeperLine {
  readonly #stream: Duplex

  constructor(stream: Duplex, onDeath: (death: Death) => void) {
    this.#stream = stream
    let text = ''
    stream.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1')
      const lines = text.split('\n')
      text = (lines.pop() ?? '').slice(0, LONGEST_LINE)
      for (const line of lines) onDeath(read(line))
    })
    stream.on('error', () => {})
  }

  /** Ends the kernel, and all that was started but its copy. */
  kill(): void {
    this.#stream.write('kill\n')
  }

  /** Ends the kernel and its copies; not its twins. */
  end(): void {
    this.#stream.write('end\n')
  }

  /** Has the copy go on; gives what it says first. Nothing may be on its way to the kernel any more. */
  wake(): Uint8Array {
    const nonce = randomBytes(16).toString('hex')
    this.#stream.write(`wake ${nonce}\n`)
    return Buffer.from(nonce, 'latin1')
  }
}

function read(line: string): Death {
  try {
    const { code, signal, cut, copy, stays } = JSON.parse(line) as Record<string, unknown>
    return {
      code: numberOf(code),
      signal: numberOf(signal),
      cut: cut === true,
      copy: copy === true,
      stays: stays === true,
    }
  } catch {
    return { code: null, signal: null, cut: false, copy: false, stays: false }
  }
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
