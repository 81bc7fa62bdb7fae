import type { Progress } from '@codeact/spec'
import { safe } from './safe.ts'
import type { Style } from './style.ts'

const CLEAR_LINE = '\r\u001b[2K'

/** Long work, on a line of the terminal that is written over while it goes on, and gone afterwards. */
export class ProgressLine {
  readonly #style: Style
  #message = ''
  #isOnScreen = false

  constructor(style: Style) {
    this.#style = style
  }

  show({ message, fraction }: Progress): string {
    const percent = fraction === undefined ? '' : ` ${Math.round(fraction * 100)} %`
    this.#isOnScreen = true
    return `${CLEAR_LINE}${this.#style.dim(`  … ${safe(message)}${percent}`)}`
  }

  /** Whether this was not told before: where no line can be written over, each message is told once. */
  isNews({ message }: Progress): boolean {
    const isNews = message !== this.#message
    this.#message = message
    return isNews
  }

  clear(): string {
    if (!this.#isOnScreen) return ''
    this.#isOnScreen = false
    return CLEAR_LINE
  }
}
