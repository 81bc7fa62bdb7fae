/** What turns streamed text into lines of a terminal. */
export interface Flow {
  /** What can be written now. */
  push(text: string): string
  /** What was held back; the last line stays open. */
  end(): string
}
