/** What the user said while a run was under way, until the run takes it in. */
export class Inbox {
  #waiting: string[] = []

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  put(text: string): void {
    this.#waiting.push(text)
  }

  take(): readonly string[] {
    const taken = this.#waiting
    this.#waiting = []
    return taken
  }
}
