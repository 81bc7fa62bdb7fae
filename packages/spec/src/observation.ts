import type { ImagePart } from './message.ts'

/** What the model is told of what it did. */
export interface Observation {
  readonly text: string
  /** Images that the code displayed, for models that see. */
  readonly images: readonly ImagePart[]
  /** Characters that were cut from the middle of the text to stay within the budget. */
  readonly cut?: number
  /** True where it failed, or was not done: what code, or a tool, answers a native tool call with. */
  readonly isError?: boolean
}

/** What a reply with several blocks gave, as one; undefined where there is nothing to tell. */
export function joinObservations(observations: readonly Observation[]): Observation | undefined {
  if (observations.length < 2) return observations[0]
  const cut = observations.reduce((sum, one) => sum + (one.cut ?? 0), 0)
  const isError = observations.some((one) => one.isError === true)
  const text = observations.map((one, index) => `[block ${index + 1}]\n${one.text}`).join('\n')
  return {
    text,
    images: observations.flatMap((one) => one.images),
    ...(cut === 0 ? {} : { cut }),
    ...(isError ? { isError } : {}),
  }
}
