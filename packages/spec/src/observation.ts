import type { ImagePart } from './message.ts'

/** What the model is told of what its code did. */
export interface Observation {
  readonly text: string
  /** Images that the code displayed, for models that see. */
  readonly images: readonly ImagePart[]
  /** Characters that were cut from the middle of the text to stay within the budget. */
  readonly cut?: number
}
