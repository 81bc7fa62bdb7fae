const WINDOW_MS = 15

/** Lets what comes at the same time go in the opposite order. What comes alone is only a little late. */
export class Shuffle {
  #batch: (() => Promise<void>)[] = []

  add(action: () => Promise<void>): Promise<void> {
    if (this.#batch.length === 0) setTimeout(() => this.#release(), WINDOW_MS)
    return new Promise((resolve, reject) => {
      this.#batch.unshift(() => action().then(resolve, reject))
    })
  }

  #release(): void {
    const batch = this.#batch
    this.#batch = []
    for (const action of batch) void action()
  }
}
