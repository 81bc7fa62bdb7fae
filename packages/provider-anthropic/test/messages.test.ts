import type { AssistantMessage, Message, ToolDeclaration } from '@codeact/spec'
import { drain, modelServer, streamed, task } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { type AnthropicOptions, anthropic } from '../src/index.ts'
import { reply } from './blocks.ts'

const MARK = { cache_control: { type: 'ephemeral' } }
const PNG = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const

const said = (...content: AssistantMessage['content']): Message => ({ role: 'assistant', content })
const text = (words: string) => ({ type: 'text', text: words }) as const
const own = (opaque: object, model = 'm', provider = 'anthropic') =>
  ({ type: 'reasoning', provider, model, opaque: { ...opaque } as Record<string, string> }) as const
const call = (callId: string, json: string) => ({ type: 'tool-call', callId, name: 'run', json }) as const
const result = (callId: string, ...content: Extract<Message, { role: 'tool' }>['content']): Message => ({
  role: 'tool',
  callId,
  content,
})

type Body = Record<string, unknown> & { readonly messages: { role: string; content: Record<string, unknown>[] }[] }

/** The body that the server receives for a transcript. */
async function sent(
  messages: readonly Message[],
  { options = {}, ...request }: { options?: AnthropicOptions; tools?: ToolDeclaration[]; stop?: string[] } = {},
): Promise<Body> {
  await using server = await modelServer(streamed(reply('ok')))
  await drain(anthropic('m', { baseURL: server.origin, ...options }), { messages, ...request })
  return server.received[0]?.body as Body
}

/** The same, as roles and blocks alone. */
async function turns(...messages: Message[]): Promise<unknown[]> {
  const body = await sent(messages)
  return body.messages.map(({ role, content }) => [role, ...content.map(({ cache_control, ...block }) => block)])
}

describe('the body of a request', () => {
  test('is whole, and holds nothing that was not asked for', async () => {
    await using server = await modelServer(streamed(reply('ok')))
    await drain(anthropic('claude-x', { baseURL: server.origin, apiKey: 'a-key', headers: { 'x-team': 'blue' } }), {
      messages: [{ role: 'system', content: 'Be brief.' }, task('Hi')],
      stop: ['</execute>'],
    })
    expect(server.received[0]?.url).toBe('/v1/messages')
    expect(server.received[0]?.headers).toMatchObject({ authorization: 'Bearer a-key', 'x-team': 'blue' })
    expect(server.received[0]?.body).toEqual({
      model: 'claude-x',
      max_tokens: 32_000,
      system: [{ type: 'text', text: 'Be brief.', ...MARK }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...MARK }] }],
      stop_sequences: ['</execute>'],
      stream: true,
    })
  })

  test('is the least where there is only a task: no sampling, no tools, no stop', async () => {
    expect(Object.keys(await sent([task('Hi')])).sort()).toEqual(['max_tokens', 'messages', 'model', 'stream'])
  })

  test('holds what `request` adds, which cannot replace what the adapter writes', async () => {
    const thinking = { type: 'enabled', budget_tokens: 2000 }
    const request = { max_tokens: 4000, thinking, temperature: 1, model: 'other', stream: false, messages: [] }
    const body = await sent([task('Hi')], { options: { request } })
    expect(body).toMatchObject({ max_tokens: 4000, thinking, temperature: 1, model: 'm', stream: true })
    expect(body.messages.length).toBe(1)
  })

  test('leaves out stop sequences of white space, which the API refuses', async () => {
    expect((await sent([task('Hi')], { stop: ['\n', '</x>', ''] })).stop_sequences).toEqual(['</x>'])
    expect(await sent([task('Hi')], { stop: ['\n\n'] })).not.toHaveProperty('stop_sequences')
  })

  test('declares tools; the mark is on the last, unless a system message follows them', async () => {
    const parameters = { type: 'object', properties: { code: { type: 'string' } } }
    const tools = ['a', 'b'].map((name) => ({ name, description: `Does ${name}.`, parameters }))
    const declared = tools.map(({ name, description }) => ({ name, description, input_schema: parameters }))
    expect((await sent([task('Hi')], { tools })).tools).toEqual([declared[0], { ...declared[1], ...MARK }])
    const withSystem = await sent([{ role: 'system', content: 'S' }, task('Hi')], { tools })
    expect(withSystem.tools).toEqual(declared)
    expect(withSystem.system).toEqual([{ type: 'text', text: 'S', ...MARK }])
  })
})

describe('a transcript', () => {
  test('becomes turns; neighbours of one role share one', async () => {
    const later: Message = { role: 'system', content: 'Be brief from now on.' }
    expect(await turns(task('a'), task('b'), said(text('c')), later, task('d'))).toEqual([
      ['user', text('a'), text('b')],
      ['assistant', text('c')],
      ['user', text('Be brief from now on.'), text('d')],
    ])
  })

  test('has its images in their places; what the API cannot see is told in words', async () => {
    const svg = { ...PNG, mediaType: 'image/svg+xml' }
    const seen: Message = { role: 'user', kind: 'observation', content: [text('a'), PNG, text('b'), svg] }
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG.data } }
    const words = text('(an image of the type image/svg+xml, which you cannot see)')
    expect(await turns(seen)).toEqual([['user', text('a'), image, text('b'), words]])
    expect(await turns(task('Hi'), said(call('c1', '{}')), result('c1', text('a'), PNG))).toEqual([
      ['user', text('Hi')],
      ['assistant', { type: 'tool_use', id: 'c1', name: 'run', input: {} }],
      ['user', { type: 'tool_result', tool_use_id: 'c1', content: [text('a'), image] }],
    ])
  })

  test('has no empty and no blank texts, and no empty messages: the API refuses them', async () => {
    const blank = [{ role: 'system', content: ' ' }, task('a'), said(text(''), text(' \n')), task('b')] as const
    expect(await turns(...blank)).toEqual([['user', text('a'), text('b')]])
    expect(await sent(blank)).not.toHaveProperty('system')
  })
})

describe('thinking', () => {
  const open = { type: 'thinking', thinking: 'Größe? ✓ \u2028', signature: 'Eq+/==', more: 'kept' }
  const closed = { type: 'redacted_thinking', data: 'Em+/==' }

  test('goes back byte by byte, in its place', async () => {
    const message = said(own(open), own(closed), text('a'), own(open), call('c1', '{"code":"1"}'))
    await using server = await modelServer(streamed(reply('ok')))
    await drain(anthropic('m', { baseURL: server.origin }), {
      messages: [task('Hi'), message, result('c1', text('1'))],
    })
    const run = { type: 'tool_use', id: 'c1', name: 'run', input: { code: '1' } }
    const body = server.received[0]?.body as Body | undefined
    expect(JSON.stringify(body?.messages[1]?.content)).toBe(JSON.stringify([open, closed, text('a'), open, run]))
  })

  test('of another model or another vendor stays out', async () => {
    const message = said(own(open, 'm2'), own({ id: 'rs_1' }, 'm', 'openai'), text('a'))
    expect(await turns(task('Hi'), message, task('And?'))).toEqual([
      ['user', text('Hi')],
      ['assistant', text('a')],
      ['user', text('And?')],
    ])
  })

  test('at the end of a reply, and in a reply of nothing else, stays out: the API refuses it', async () => {
    expect(await turns(task('a'), said(text('b'), own(open)), task('c'), said(own(closed)), task('d'))).toEqual([
      ['user', text('a')],
      ['assistant', text('b')],
      ['user', text('c'), text('d')],
    ])
  })
})

describe('tool calls', () => {
  const use = (id: string, input: object) => ({ type: 'tool_use', id, name: 'run', input })
  const answer = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: [text(id)] })

  test('and their results are pairs: results first, those that are missing told as errors', async () => {
    const calls = said(call('c1', '{}'), call('c2', '{"a":1}'), call('c3', '{}'))
    const failed: Message = { role: 'tool', callId: 'c2', content: [], isError: true }
    expect(await turns(task('Hi'), calls, result('c1', text('c1')), task('note'), failed)).toEqual([
      ['user', text('Hi')],
      ['assistant', use('c1', {}), use('c2', { a: 1 }), use('c3', {})],
      [
        'user',
        answer('c1'),
        { type: 'tool_result', tool_use_id: 'c2', is_error: true },
        { type: 'tool_result', tool_use_id: 'c3', content: 'This call was not run.', is_error: true },
        text('note'),
      ],
    ])
  })

  test.each(['{"code": "1', '[1]', 'null', ''])(
    'with the arguments %j go back as an object that says so',
    async (json) => {
      const [, reply] = await turns(task('Hi'), said(call('c1', json)), result('c1', text('c1')))
      expect(reply).toEqual(['assistant', use('c1', { INVALID_JSON: json })])
    },
  )
})

describe('a transcript that ends with a reply', () => {
  test('is no prefill: the user asks to go on, there and then in every longer one', async () => {
    expect(await turns(task('a'), said(text('b')))).toEqual([
      ['user', text('a')],
      ['assistant', text('b')],
      ['user', text('Go on.')],
    ])
    expect(await turns(task('a'), said(text('b')), said(text('c')), task('d'))).toEqual([
      ['user', text('a')],
      ['assistant', text('b')],
      ['user', text('Go on.')],
      ['assistant', text('c')],
      ['user', text('d')],
    ])
  })

  test('after a pause in the vendor’s own tools goes out as it is, and its rest is part of the same turn', async () => {
    const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} }
    expect(await turns(task('a'), said(text('b'), own(search)))).toEqual([
      ['user', text('a')],
      ['assistant', text('b'), search],
    ])
    expect(await turns(task('a'), said(text('b'), own(search)), said(text('c')), task('d'))).toEqual([
      ['user', text('a')],
      ['assistant', text('b'), search, text('c')],
      ['user', text('d')],
    ])
  })
})
