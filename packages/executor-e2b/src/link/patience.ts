/** How long a link waits, in milliseconds. */
export interface LinkPatience {
  /** For the answer of the far end to a question. */
  readonly answer: number
  /** For a connection that does not come back, before it is given up. */
  readonly outage: number
  /** After this silence the far end is asked whether it is there. */
  readonly silence: number
  /** Between two attempts: at first, and at most. */
  readonly firstPause: number
  readonly longestPause: number
}

export const LINK_PATIENCE: LinkPatience = {
  answer: 10_000,
  outage: 30_000,
  silence: 15_000,
  firstPause: 50,
  longestPause: 2000,
}
