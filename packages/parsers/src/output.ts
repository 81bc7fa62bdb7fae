import type { ActionEvent } from '@codeact/spec'

/** The events of one `feed`: neighbouring pieces of text, or of one block's code, are joined. */
export class Output {
  #events: ActionEvent[] = []
  #type: 'text' | 'code-delta' = 'text'
  #id = ''
  #joined = ''

  text(text: string): void {
    if (this.#type !== 'text') this.#flush()
    this.#type = 'text'
    this.#joined += text
  }

  code(id: string, text: string): void {
    if (this.#type !== 'code-delta' || this.#id !== id) this.#flush()
    this.#type = 'code-delta'
    this.#id = id
    this.#joined += text
  }

  event(event: ActionEvent): void {
    this.#flush()
    this.#events.push(event)
  }

  /** All events since the last call. */
  take(): ActionEvent[] {
    this.#flush()
    const events = this.#events
    this.#events = []
    return events
  }

  #flush(): void {
    if (this.#joined === '') return
    const text = this.#joined
    this.#joined = ''
    this.#events.push(this.#type === 'text' ? { type: 'text', text } : { type: 'code-delta', id: this.#id, text })
  }
}
