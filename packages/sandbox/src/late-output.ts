export type OutputStream = 'stdout' | 'stderr'

/**
 * What threads and child processes print while no cell runs. It is kept, up to a limit, for the next cell: nothing that was
 * printed is lost without a word, and nothing grows while nobody looks.
 */
export class LateOutput {
  readonly #limit: number
  #chunks: { readonly stream: OutputStream; readonly bytes: Uint8Array }[] = []
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  keep(stream: OutputStream, bytes: Uint8Array): void {
    const part = bytes.subarray(0, Math.max(0, this.#limit - this.#size))
    if (part.length === 0) return
    this.#size += part.length
    this.#chunks.push({ stream, bytes: part })
  }

  drain(to: { output(stream: OutputStream, bytes: Uint8Array): void }): void {
    for (const { stream, bytes } of this.#chunks) to.output(stream, bytes)
    this.#chunks = []
    this.#size = 0
  }
}
