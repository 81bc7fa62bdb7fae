import type { ServerResponse } from 'node:http'
import type { AssistantMessage, LanguageModel, Message, ModelEvent, ModelRequest, Usage } from '@codeact/spec'
import { defineModel, failedResponse, type ReplyReader } from '../src/index.ts'

/** One line of a reply. */
interface Line {
  readonly text?: string
  readonly thought?: string
  readonly done?: string
  readonly usage?: Usage
}

interface Options {
  readonly maxRetries?: number
  readonly secret?: string
  readonly headers?: Record<string, string>
}

/** A provider of somebody's own, without an SDK: one line of JSON an event. */
export function mine(baseURL: string, options: Options = {}): LanguageModel {
  return defineModel<Record<string, unknown>, Line>({
    id: 'mine:m',
    maxRetries: options.maxRetries,
    vendor: { server: baseURL, model: 'm', secrets: () => (options.secret ? [options.secret] : []) },
    write: ({ messages, stop }, without) => ({ messages, ...(stop && !without.has('stop') ? { stop } : {}) }),
    send: async (body, signal) => {
      const response = await fetch(baseURL, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: options.headers,
        signal,
      })
      if (!response.ok) throw await failedResponse(response)
      return { events: linesOf(response), contentType: response.headers.get('content-type') }
    },
    reader: () => new LineReader(),
    refusedBy: ({ words }, body) => ('stop' in body && words.includes('stop') ? ['stop'] : []),
  })
}

class LineReader implements ReplyReader<Line> {
  #text = ''
  #last: Line = {}

  get isWhole(): boolean {
    return this.#last.done === 'stop'
  }

  read(line: Line): ModelEvent[] {
    if (line.done !== undefined || line.usage !== undefined) this.#last = { ...this.#last, ...line }
    const { text = '', thought } = line
    this.#text += text
    return [
      ...(thought === undefined ? [] : [{ type: 'reasoning-delta', text: thought } as const]),
      ...(text === '' ? [] : [{ type: 'text-delta', text } as const]),
    ]
  }

  end() {
    return { ...this.leave(), finish: this.isWhole ? ('stop' as const) : undefined, reason: this.#last.done }
  }

  leave() {
    const content: AssistantMessage['content'] = this.#text === '' ? [] : [{ type: 'text', text: this.#text }]
    return { content, usage: this.#last.usage ?? { inputTokens: 0, outputTokens: 0 } }
  }
}

async function* linesOf({ body }: Response): AsyncGenerator<Line> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body ?? []) {
    const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}

/** A reply: a line for each event. With 'hang' as the last of them, it says nothing more, without end. */
export function said(...events: (object | 'hang')[]): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    for (const event of events) if (event !== 'hang') response.write(`${JSON.stringify(event)}\n`)
    if (events.at(-1) !== 'hang') response.end()
  }
}

export const task: Message = { role: 'user', kind: 'task', content: [{ type: 'text', text: 'Hi' }] }

/** All that a call told, and the code of its failure. */
export async function hear(model: LanguageModel, request: Partial<ModelRequest> = {}) {
  const events: ModelEvent[] = []
  try {
    for await (const event of model.stream({ messages: [task], ...request })) events.push(event)
  } catch (error) {
    return { events, error: error as Error & { code?: string; hint?: string; isRetryable?: boolean } }
  }
  return { events, end: events.at(-1) as Extract<ModelEvent, { type: 'end' }> }
}
