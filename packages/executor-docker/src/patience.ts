/** How long each call to Docker may take, in milliseconds, before it counts as hung. */
export interface Patience {
  readonly ping: number
  /** For the first answer of one that is reached through ssh. */
  readonly ssh: number
  readonly inspect: number
  /** With some storage drivers this copies the image. */
  readonly create: number
  readonly attach: number
  readonly start: number
  readonly remove: number
  /** For finding out how a container went. */
  readonly fate: number
  /** Between two signs of life while an image is pulled. */
  readonly pull: number
}

export const PATIENCE: Patience = {
  ping: 5000,
  ssh: 20_000,
  inspect: 10_000,
  create: 60_000,
  attach: 10_000,
  start: 30_000,
  remove: 10_000,
  fate: 3000,
  pull: 120_000,
}
