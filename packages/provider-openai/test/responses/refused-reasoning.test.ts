import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AssistantMessage, Message, ModelEvent } from '@codeact/spec'
import { expect, test } from 'vitest'
import { openai } from '../../src/index.ts'

const REFUSAL = {
  error: {
    message: 'The encrypted content gAAA… could not be verified.',
    type: 'invalid_request_error',
    param: null,
    code: 'invalid_encrypted_content',
  },
}

/** A server that reads the reasoning of one key alone, and answers with some of its own. */
async function serverOf(key: string) {
  const asked: string[][] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request.setEncoding('utf8')) text += piece
    const { input } = JSON.parse(text) as { input: { type?: string; encrypted_content?: string }[] }
    const contents = input.flatMap(({ encrypted_content = [] }) => encrypted_content)
    asked.push(contents)
    if (contents.some((content) => !content.startsWith(key))) {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(REFUSAL))
      return
    }
    const item = { id: 'rs', type: 'reasoning', summary: [], encrypted_content: `${key} ${asked.length}` }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of [
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.output_text.delta', output_index: 1, delta: 'ok' },
      { type: 'response.completed', response: {} },
    ]) {
      response.write(`data: ${JSON.stringify(event)}\n\n`)
    }
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { baseURL, asked, [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())) }
}

const task: Message = { role: 'user', kind: 'task', content: [{ type: 'text', text: 'Hi' }] }

async function reply(model: ReturnType<typeof openai>, messages: readonly Message[]): Promise<AssistantMessage> {
  let last: ModelEvent | undefined
  for await (const event of model.stream({ messages })) last = event
  if (last?.type !== 'end') throw new Error('no end')
  return last.message
}

test('a session that goes on under another key: what it cannot read is left out for good, what is new is kept', async () => {
  await using old = await serverOf('old')
  await using now = await serverOf('now')
  const options = { api: 'responses', apiKey: 'k' } as const
  const before = [task, await reply(openai('gpt-5', { ...options, baseURL: old.baseURL }), [task]), task]

  const model = openai('gpt-5', { ...options, baseURL: now.baseURL })
  const first = await reply(model, before)
  await reply(model, [...before, first, task])
  expect(now.asked).toEqual([['old 1'], [], ['now 2']])
})

test('refused without reasoning in it, the call fails', async () => {
  await using server = await serverOf('now')
  const strange: AssistantMessage = {
    role: 'assistant',
    content: [
      { type: 'reasoning', provider: 'openai', model: 'gpt-5', opaque: { type: 'other', encrypted_content: 'old' } },
      { type: 'text', text: 'ok' },
    ],
  }
  const model = openai('gpt-5', { api: 'responses', baseURL: server.baseURL })
  await expect(reply(model, [task, strange, task])).rejects.toMatchObject({ code: 'MODEL_BAD_REQUEST' })
  expect(server.asked.length).toBe(1)
})
