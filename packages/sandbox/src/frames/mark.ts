/** Finds a run of bytes in a stream, however that is cut. */
export class Mark {
  readonly #bytes: Buffer
  #held: Buffer = Buffer.alloc(0)

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes)
  }

  /** What is known to come before it, and once it was found, what comes after; `after` is undefined until then. */
  seek(chunk: Uint8Array): { readonly before: Uint8Array; readonly after?: Uint8Array } {
    const all = Buffer.concat([this.#held, chunk])
    const at = all.indexOf(this.#bytes)
    if (at >= 0) return { before: all.subarray(0, at), after: all.subarray(at + this.#bytes.length) }
    const known = Math.max(0, all.length - this.#bytes.length + 1)
    this.#held = all.subarray(known)
    return { before: all.subarray(0, known) }
  }
}
