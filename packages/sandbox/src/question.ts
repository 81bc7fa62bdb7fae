/** What is asked of a kernel while no cell runs, once at a time. */
export class Question<Answer> {
  readonly #gone: Promise<unknown>
  #resolve: ((answer: Answer | undefined) => void) | undefined
  #say: () => void = () => {}

  /** `gone` settles when nobody answers any more. */
  constructor(gone: Promise<unknown>) {
    this.#gone = gone
  }

  /** Undefined when the kernel did not live to tell. */
  ask(say: () => void): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      this.#resolve = resolve
      this.#say = say
      say()
      void this.#gone.then(() => resolve(undefined))
    })
  }

  /** To whoever goes on in place of the kernel that was asked. */
  askAgain(): void {
    if (this.#resolve !== undefined) this.#say()
  }

  get isOpen(): boolean {
    return this.#resolve !== undefined
  }

  answer(answer: Answer | undefined): void {
    this.#resolve?.(answer)
    this.#resolve = undefined
  }
}
