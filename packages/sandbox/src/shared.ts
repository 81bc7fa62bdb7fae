/** What several hold, and the last one to let go closes. */
export class Shared {
  readonly #close: () => Promise<void>
  #holders = 1

  constructor(close: () => Promise<void>) {
    this.#close = close
  }

  get isShared(): boolean {
    return this.#holders > 1
  }

  hold(): void {
    this.#holders += 1
  }

  async release(): Promise<void> {
    this.#holders -= 1
    if (this.#holders === 0) await this.#close()
  }
}
