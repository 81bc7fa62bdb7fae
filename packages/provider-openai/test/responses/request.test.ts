import type { ImagePart, Message, ModelRequest } from '@codeact/spec'
import { drain, modelServer, type Received, streamed, task } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { type OpenAIOptions, openai } from '../../src/index.ts'
import { reasoningItem, responseEvents } from './events.ts'

const image: ImagePart = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' }
const inputImage = { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,iVBORw0KGgo=' }
const thought = reasoningItem(0, ['I think.'], 'gAAA-secret')
const own = { type: 'reasoning', provider: 'openai', model: 'gpt-5', opaque: thought } as const

/** A session with everything in it that a message may hold. */
const transcript: Message[] = [
  { role: 'system', content: 'You write code.' },
  task('Plot it.'),
  { role: 'assistant', content: [own as never, { type: 'text', text: '<execute>\nplot()\n</execute>' }] },
  { role: 'user', kind: 'observation', content: [{ type: 'text', text: 'Shown:' }, image] },
  { role: 'system', content: 'Be brief.' },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', provider: 'anthropic', model: 'x', opaque: { signature: 's' } },
      { type: 'reasoning', provider: 'openai', model: 'gpt-4', opaque: { id: 'rs_of_another' } },
      own as never,
      { type: 'reasoning', provider: 'openai', model: 'gpt-5', opaque: { type: 'message', phase: 'commentary' } },
      { type: 'text', text: 'Both at once.' },
      { type: 'tool-call', callId: 'a', name: 'python', json: '{"code": "plot()"}' },
      { type: 'tool-call', callId: 'b', name: 'python', json: 'not json' },
    ],
  },
  { role: 'tool', callId: 'a', content: [{ type: 'text', text: 'done' }, image] },
  { role: 'tool', callId: 'b', content: [{ type: 'text', text: 'SyntaxError' }], isError: true },
  { role: 'assistant', content: [{ type: 'text', text: 'Hm.' }, { type: 'text', text: '' }, own as never] },
  { role: 'assistant', content: [own as never] },
  { role: 'tool', callId: 'c', content: [] },
]

const encoded = [
  { role: 'user', content: 'Plot it.' },
  thought,
  { role: 'assistant', content: '<execute>\nplot()\n</execute>' },
  { role: 'user', content: [{ type: 'input_text', text: 'Shown:' }, inputImage] },
  { role: 'system', content: 'Be brief.' },
  thought,
  { role: 'assistant', content: 'Both at once.', phase: 'commentary' },
  { type: 'function_call', call_id: 'a', name: 'python', arguments: '{"code": "plot()"}' },
  { type: 'function_call', call_id: 'b', name: 'python', arguments: '{"INVALID_JSON":"not json"}' },
  { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'done' }, inputImage] },
  { type: 'function_call_output', call_id: 'b', output: 'SyntaxError' },
  { role: 'assistant', content: 'Hm.' }, // reasoning that nothing follows would be refused
  { type: 'function_call_output', call_id: 'c', output: '' },
]

async function sent(
  request: Partial<ModelRequest>,
  { name = 'gpt-5', ...options }: OpenAIOptions & { name?: string } = {},
): Promise<Received> {
  await using server = await modelServer(streamed(responseEvents([{ text: ['ok'] }])))
  await drain(openai(name, { api: 'responses', baseURL: server.baseURL, ...options }), request)
  return server.received[0] as Received
}

describe('the request', () => {
  test('of a plain call: this and nothing else', async () => {
    const { url, body } = await sent({})
    expect(url).toBe('/v1/responses')
    expect(body).toEqual({
      model: 'gpt-5',
      prompt_cache_key: expect.stringMatching(/^[0-9a-f]{32}$/),
      input: [{ role: 'user', content: 'Hi' }],
      store: false,
      include: ['reasoning.encrypted_content'],
      stream: true,
    })
  })

  test('of a whole session, with tools; stop sequences are never sent', async () => {
    const parameters = { type: 'object', properties: { code: { type: 'string' } } }
    const tools = [{ name: 'python', description: 'Runs code.', parameters }]
    const { body } = await sent({ messages: transcript, tools, stop: ['</execute>'] })
    expect(body).toEqual({
      model: 'gpt-5',
      prompt_cache_key: expect.any(String),
      instructions: 'You write code.',
      input: encoded,
      tools: [{ type: 'function', name: 'python', description: 'Runs code.', parameters, strict: false }],
      store: false,
      include: ['reasoning.encrypted_content'],
      stream: true,
    })
  })

  test('holds reasoning byte by byte as it came, and none for another model', async () => {
    expect(JSON.stringify((await sent({ messages: transcript })).body)).toContain(JSON.stringify(thought))
    expect(JSON.stringify((await sent({ messages: transcript }, { name: 'gpt-6' })).body)).not.toContain('rs_')
  })

  test('asks models that do not reason for no reasoning', async () => {
    expect((await sent({}, { name: 'gpt-4o-mini' })).body).not.toHaveProperty('include')
  })

  test('holds the fields that the user added, which replace none of the adapter’s but the cache key', async () => {
    const request = { reasoning: { effort: 'low' }, store: true, prompt_cache_key: 'mine', input: 'x', model: 'other' }
    const { body } = await sent({}, { request })
    expect(body).toMatchObject({ reasoning: { effort: 'low' }, store: false, prompt_cache_key: 'mine', model: 'gpt-5' })
    expect(body.input).toEqual([{ role: 'user', content: 'Hi' }])
  })
})

test('each request of a session begins with the one before it, byte by byte, under the same cache key', async () => {
  await using server = await modelServer(streamed(responseEvents([{ text: ['ok'] }])))
  const model = openai('gpt-5', { api: 'responses', baseURL: server.baseURL })
  for (let end = 2; end <= transcript.length; end += 1) await drain(model, { messages: transcript.slice(0, end) })
  const spelled = server.received.map(({ body }) => JSON.stringify(body.input).slice(0, -1))
  expect(spelled.length).toBe(transcript.length - 1)
  for (const [index, text] of spelled.entries()) expect(text.startsWith(spelled[index - 1] ?? '')).toBe(true)
  expect(new Set(server.received.map(({ body }) => body.prompt_cache_key)).size).toBe(1)
})

test('sessions that begin otherwise have other cache keys', async () => {
  const other = [task('Something else.')]
  const keys = [await sent({}), await sent({ messages: other }), await sent({}, { name: 'gpt-6' })]
  expect(new Set(keys.map(({ body }) => body.prompt_cache_key)).size).toBe(3)
})
