import type { MimeBundle } from '@codeact/spec'

/** Characters of all that a cell shows. An image takes some hundred thousand. */
const MOST_CHARACTERS = 8_000_000
const MOST_BUNDLES = 1000

const LEFT_OUT: MimeBundle = { 'text/plain': '[… more was shown than can be kept; the rest is left out …]' }

/** Keeps what a cell shows up to a limit, in memory that does not grow with what is shown after it. */
export class DisplayBuffer {
  readonly #bundles: MimeBundle[] = []
  #characters = 0
  #isFull = false

  get bundles(): readonly MimeBundle[] {
    return this.#bundles
  }

  /**
   * Gives back what to show: the bundle; once, instead of the first beyond the limit, that it is left out; then nothing, and
   * what comes is not even read: a flood would fill the heap with what is thrown away at once.
   */
  write(read: () => MimeBundle): MimeBundle | undefined {
    if (this.#isFull) return undefined
    const bundle = read()
    this.#characters += Object.values(bundle).reduce((sum, form) => sum + form.length, 0)
    this.#isFull = this.#characters > MOST_CHARACTERS || this.#bundles.length >= MOST_BUNDLES
    const shown = this.#isFull ? LEFT_OUT : bundle
    this.#bundles.push(shown)
    return shown
  }
}
