import { createServer, type IncomingMessage } from 'node:http'

export interface ModelServer {
  /** The base URL, as `OPENAI_BASE_URL` takes it. */
  readonly url: string
  close(): Promise<void>
}

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** A model server on this machine that writes a little code for every task, and then says what came of it. */
export async function startModelServer(): Promise<ModelServer> {
  const server = createServer(async (request, response) => {
    const chat = JSON.parse(await bodyOf(request)) as ChatRequest
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = (choice: object) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [choice] })}\n\n`
    response.write(chunk({ index: 0, delta: { role: 'assistant', content: replyTo(chat) } }))
    response.write(chunk({ index: 0, delta: {}, finish_reason: 'stop' }))
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
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
