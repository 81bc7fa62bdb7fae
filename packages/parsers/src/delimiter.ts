/** A delimiter that was found in a reply. */
export interface Delimiter {
  readonly kind: 'open' | 'close'
  /** As the model wrote it. */
  readonly raw: string
  /** What of it is code, should it turn out to stand inside a string of the code. */
  readonly code: string
}

/** A delimiter that opens a block. */
export interface Opening extends Delimiter {
  readonly kind: 'open'
  readonly language: string
  /** Code begins on the line after the delimiter; else it may begin right behind it, or after a fence of its own. */
  readonly endsLine: boolean
}

export type Found = Opening | (Delimiter & { readonly kind: 'close' })

/** Takes what is no delimiter: text between blocks; inside a block, code. */
export type Pass = (text: string) => void

/**
 * Finds the delimiters of one syntax as a reply streams in. Which of them count, the reader says: it calls `enter` when it
 * takes an opening, and `leave` when the block is over.
 */
export interface DelimiterFinder {
  /** Reads from `at` to the end of `chunk`, or to the end of the first delimiter, which is then `found`. Returns how far. */
  read(chunk: string, at: number): number
  /** What the last `read` or `end` stopped at. */
  readonly found: Found | undefined
  /** No more input. What was held back is a delimiter after all, is passed on, or was the beginning of a closing one. */
  end(): void
  /** After `end` inside a block: what the reply lacks of a closing delimiter. */
  readonly missing: string
  /** After `end` outside a block: what would have closed the reasoning or the prose that a block may be lost in; else empty. */
  readonly unclosed: string
  enter(): void
  leave(): void
}
