import type { CodeActEvent } from '@codeact/spec'

/** How a run is told: a fold over its events. It draws nothing itself; what it returns is to be written. */
export interface Renderer {
  show(event: CodeActEvent): string
  /** Ends what is open: something else is written on the next line. */
  leave(): string
}
