import type { ImagePart, Message, ModelRequest } from '@codeact/spec'
import { drain, modelServer, type Received, streamed, task } from '@codeact/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openai } from '../../src/index.ts'
import type { OpenAIOptions } from '../../src/settings.ts'
import { reply } from './chunks.ts'

afterEach(() => vi.unstubAllEnvs())

const image: ImagePart = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' }
const imageURL = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }

/** A session with everything in it that a message may hold. */
const transcript: Message[] = [
  { role: 'system', content: 'You write code.' },
  task('Plot it.'),
  { role: 'assistant', content: [{ type: 'text', text: '<execute>\nplot()\n</execute>' }] },
  { role: 'user', kind: 'observation', content: [{ type: 'text', text: 'Shown:' }, image] },
  {
    role: 'user',
    kind: 'task',
    content: [
      { type: 'text', text: 'And' },
      { type: 'text', text: 'this?' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', provider: 'anthropic', model: 'x', opaque: { signature: 's' } },
      { type: 'text', text: 'Both ' },
      { type: 'text', text: 'at once.' },
      { type: 'tool-call', callId: 'a', name: 'python', json: '{"code": "plot()"}' },
      { type: 'tool-call', callId: 'b', name: 'python', json: 'not json' },
    ],
  },
  { role: 'tool', callId: 'a', content: [{ type: 'text', text: 'done' }, image] },
  { role: 'tool', callId: 'b', content: [{ type: 'text', text: 'SyntaxError' }], isError: true },
  { role: 'assistant', content: [{ type: 'tool-call', callId: 'c', name: 'python', json: '{}' }] },
  { role: 'tool', callId: 'c', content: [] },
  { role: 'assistant', content: [{ type: 'text', text: 'There.' }] },
]

const encoded = [
  { role: 'system', content: 'You write code.' },
  { role: 'user', content: 'Plot it.' },
  { role: 'assistant', content: '<execute>\nplot()\n</execute>' },
  { role: 'user', content: [{ type: 'text', text: 'Shown:' }, imageURL] },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'And' },
      { type: 'text', text: 'this?' },
    ],
  },
  {
    role: 'assistant',
    content: 'Both at once.',
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'python', arguments: '{"code": "plot()"}' } },
      { id: 'b', type: 'function', function: { name: 'python', arguments: '{"INVALID_JSON":"not json"}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'a', content: 'done' },
  { role: 'tool', tool_call_id: 'b', content: 'SyntaxError' },
  { role: 'user', content: [imageURL] },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'python', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'c', content: '' },
  { role: 'assistant', content: 'There.' },
]

async function sent(request: Partial<ModelRequest>, options: OpenAIOptions = {}): Promise<Received> {
  await using server = await modelServer(streamed(reply('ok')))
  await drain(openai('some/model', { baseURL: server.baseURL, ...options }), request)
  return server.received[0] as Received
}

describe('the request', () => {
  test('of a plain call: this and nothing else', async () => {
    const { url, body } = await sent({})
    expect(url).toBe('/v1/chat/completions')
    expect(body).toEqual({
      model: 'some/model',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  test('of a whole session, with tools and stop sequences', async () => {
    const parameters = { type: 'object', properties: { code: { type: 'string' } } }
    const tools = [{ name: 'python', description: 'Runs code.', parameters }]
    const { body } = await sent({ messages: transcript, tools, stop: ['</execute>'] })
    expect(body).toEqual({
      model: 'some/model',
      messages: encoded,
      tools: [{ type: 'function', function: { name: 'python', description: 'Runs code.', parameters } }],
      stop: ['</execute>'],
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  test('holds the fields that the user added, which replace none of the adapter’s', async () => {
    const request = { temperature: 0, max_completion_tokens: 9, stream: false, model: 'other', messages: [] }
    const { body } = await sent({}, { request })
    expect(body).toMatchObject({ temperature: 0, max_completion_tokens: 9, stream: true, model: 'some/model' })
    expect(body.messages).toEqual([{ role: 'user', content: 'Hi' }])
  })

  test('of a longer transcript begins with that of the shorter one, byte by byte', async () => {
    await using server = await modelServer(streamed(reply('ok')))
    const model = openai('m', { baseURL: server.baseURL })
    // Every point at which a model may be asked: not between the results of one reply.
    const points = transcript.map((_, index) => index + 1).filter((end) => transcript[end]?.role !== 'tool')
    for (const end of points) await drain(model, { messages: transcript.slice(0, end) })
    const spelled = server.received.map(({ body }) => JSON.stringify(body.messages).slice(0, -1))
    expect(spelled.length).toBe(points.length)
    for (const [index, text] of spelled.entries()) {
      if (index > 0) expect(text.startsWith(spelled[index - 1] as string)).toBe(true)
    }
  })

  test('carries the key and the headers', async () => {
    const { headers } = await sent({}, { apiKey: ' the-key\n', headers: { 'x-title': 'Demo' } })
    expect(headers.authorization).toBe('Bearer the-key')
    expect(headers['x-title']).toBe('Demo')
  })

  test('to a named server carries a key that is none where there is no other', async () => {
    vi.stubEnv('OPENAI_API_KEY', '')
    expect((await sent({})).headers.authorization).toBe('Bearer none')
  })
})
