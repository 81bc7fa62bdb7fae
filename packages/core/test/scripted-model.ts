import type { AssistantMessage, Finish, LanguageModel, ModelEvent, ModelRequest } from '@codeact/spec'

/** One reply: its text, or its text with how it ended, or a failure; `hang` says the text and then nothing more. */
export type Reply = string | { readonly text: string; readonly finish?: Finish; readonly hang?: boolean } | Error

/** A model that says what it is told to, and remembers what it was asked. */
export class ScriptedModel implements LanguageModel {
  readonly id = 'test:scripted'
  readonly requests: ModelRequest[] = []
  readonly #replies: readonly Reply[]
  hasBeenLeft = false

  constructor(...replies: readonly Reply[]) {
    this.#replies = replies
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const reply = this.#replies[this.requests.length] ?? new Error('the script is over')
    this.requests.push({ ...request, messages: [...request.messages] })
    if (reply instanceof Error) throw reply
    const { text, finish = 'stop', hang = false } = typeof reply === 'string' ? { text: reply } : reply
    let said = ''
    try {
      while (said !== text && request.enough?.aborted !== true) {
        const piece = text.slice(said.length, said.length + 7)
        said += piece
        yield { type: 'text-delta', text: piece }
      }
      if (hang) await new Promise(() => {})
    } finally {
      this.hasBeenLeft = true
    }
    const content = said === '' ? [] : [{ type: 'text' as const, text: said }]
    const message: AssistantMessage = { role: 'assistant', content }
    const usage = { inputTokens: 10, outputTokens: 5, ...(said === text ? {} : { isPartial: true }) }
    yield { type: 'end', message, finish, usage }
  }

  /** What the model was shown last, as text. */
  get lastShown(): string {
    const message = this.requests.at(-1)?.messages.at(-1)
    const content = message?.role === 'user' ? message.content : []
    return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('')
  }
}
