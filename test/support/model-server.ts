import { createServer, type IncomingMessage } from 'node:http'

export interface ModelServer {
  /** The base URL, as `OPENAI_BASE_URL` takes it; `ANTHROPIC_BASE_URL` and `OLLAMA_HOST` take its origin. */
  readonly url: string
  close(): Promise<void>
}

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** A model server on this machine that writes a little code for every task, and then says what came of it. */
export async function startModelServer(): Promise<ModelServer> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1')
    if (pathname === '/v1/models') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'm', object: 'model', type: 'model' }] }))
      return
    }
    const chat = JSON.parse(await bodyOf(request)) as ChatRequest
    const { type, write } = APIS[pathname] ?? CHAT
    response.writeHead(200, { 'content-type': type })
    response.end(write(replyTo(chat)).join(''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function chatEvents(content: string): string[] {
  const chunk = (choice: object) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [choice] })}\n\n`
  return [
    chunk({ index: 0, delta: { role: 'assistant', content } }),
    chunk({ index: 0, delta: {}, finish_reason: 'stop' }),
    'data: [DONE]\n\n',
  ]
}

/** The same, as Anthropic's Messages API says it. */
function messageEvents(text: string): string[] {
  const event = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
  return [
    event('message_start', {
      message: { role: 'assistant', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
    }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text } }),
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }),
    event('message_stop', {}),
  ]
}

/** The same, as Ollama's own API says it. */
function ollamaLines(content: string): string[] {
  const lines = [
    { message: { role: 'assistant', content }, done: false },
    {
      message: { role: 'assistant', content: '' },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 1,
      eval_count: 2,
    },
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`)
}

const CHAT = { type: 'text/event-stream', write: chatEvents }

const APIS: Readonly<Record<string, typeof CHAT>> = {
  '/v1/messages': { type: 'text/event-stream', write: messageEvents },
  '/api/chat': { type: 'application/x-ndjson', write: ollamaLines },
}

function replyTo({ messages }: ChatRequest): string {
  const spoken = messages.filter(({ role }) => role !== 'system')
  const afterTask = spoken.length % 4 === 1
  if (!afterTask) return `The code printed ${JSON.stringify(spoken.at(-1)?.content)}.`
  const usesTags = JSON.stringify(messages[0]).includes('<execute>')
  return usesTags ? '<execute>\nprint(6 * 7)\n</execute>' : '```python\nprint(6 * 7)\n```'
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}
