/** What is asked of a kernel while no cell runs, once at a time. */
export class Question<Answer> {
  #resolve: ((answer: Answer | undefined) => void) | undefined
  #say: () => void = () => {}

  /** Undefined where nobody answers: because `gone` has settled, or in so many milliseconds. */
  async ask(say: () => void, gone: Promise<unknown>, timeoutMs: number): Promise<Answer | undefined> {
    const answer = new Promise<Answer | undefined>((resolve) => {
      this.#resolve = resolve
    })
    this.#say = say
    say()
    const timer = setTimeout(() => this.answer(undefined), timeoutMs)
    void gone.then(() => this.answer(undefined))
    try {
      return await answer
    } finally {
      clearTimeout(timer)
    }
  }

  /** To whoever goes on in place of the kernel that was asked. */
  askAgain(): void {
    if (this.#resolve !== undefined) this.#say()
  }

  answer(answer: Answer | undefined): void {
    this.#resolve?.(answer)
    this.#resolve = undefined
  }
}
