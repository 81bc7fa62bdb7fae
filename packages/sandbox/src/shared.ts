/** What is shared is busy while any of those is that share it. */
export function busyBySome(setBusy: (isBusy: boolean) => void): (isBusy: boolean) => void {
  let count = 0
  return (isBusy) => {
    count += isBusy ? 1 : -1
    if (count === (isBusy ? 1 : 0)) setBusy(isBusy)
  }
}

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
