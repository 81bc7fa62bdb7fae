/**
 * Follows code as it streams in, far enough to say whether a place in it lies inside a string, a comment or the like.
 * Reads each character once; however the code is cut into pieces, the answers are the same.
 */
export interface Scanner {
  /** Reads on. */
  scan(code: string): void
  /** Whether what has been read ends inside a literal or a comment, where whatever comes next could be part of it. */
  readonly inside: boolean
}

/** For languages whose rules are not known: nothing is ever taken for a literal. */
export const plainScanner: Scanner = { scan() {}, inside: false }
