import type { Metadata } from './opaque.ts'

/** A part of the message while it is still being written. */
export interface Draft {
  readonly kind: 'text' | 'reasoning' | 'tool-call'
  readonly id: string
  readonly name: string
  /** Text, or the JSON of a call. */
  text: string
  metadata: Metadata | undefined
  /** True once the provider said that nothing more comes of it. */
  isWhole: boolean
}
