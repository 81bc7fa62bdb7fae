import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { tool } from '@codeact/core'
import { requirement } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { type Config, createAgent } from '../src/index.ts'

const python = await requirement('python', () => promisify(execFile)('python3', ['--version']))

const parameters = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } as const
const double = tool({ name: 'double', description: 'Doubles.', parameters, execute: ({ a }) => 2 * a })

interface Call {
  readonly name: string
  readonly json: string
}

/** How a vendor streams a reply with calls, or with words alone; and which calls and results a request of it holds. */
interface Vendor {
  readonly choice: (baseURL: string) => Config['model']
  readonly write: (reply: string | readonly Call[], first: number) => readonly object[]
  readonly read: (body: Body) => { readonly calls: readonly string[]; readonly results: readonly [string, string][] }
}

// biome-ignore lint/suspicious/noExplicitAny: requests are read as they came
type Body = Record<string, any>

const halves = (text: string): string[] => [text.slice(0, text.length / 2), text.slice(text.length / 2)]

const openai: Vendor = {
  choice: (baseURL) => ({ name: 'openai', model: 'gpt-5-mini', baseURL: `${baseURL}/v1`, apiKey: 'k' }),
  write: (reply, first) => {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      choices: [{ index: 0, delta, finish_reason }],
    })
    if (typeof reply === 'string') return [chunk({ content: reply }, 'stop')]
    const calls = reply.flatMap(({ name, json }, index) => [
      chunk({ tool_calls: [{ index, id: `call_${first + index}`, function: { name, arguments: '' } }] }),
      ...halves(json).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ])
    return [...calls, chunk({}, 'tool_calls')]
  },
  read: ({ messages }) => ({
    calls: messages.flatMap((one: Body) => (one.tool_calls ?? []).map(({ id }: Body) => id)),
    results: messages.flatMap((one: Body) => (one.role === 'tool' ? [[one.tool_call_id, one.content]] : [])),
  }),
}

const anthropic: Vendor = {
  choice: (baseURL) => ({ name: 'anthropic', model: 'claude-x', baseURL, apiKey: 'k' }),
  write: (reply, first) => {
    const block = (index: number, content_block: object, deltas: readonly object[]) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]
    const blocks =
      typeof reply === 'string'
        ? block(0, { type: 'text', text: '' }, [{ type: 'text_delta', text: reply }])
        : reply.flatMap(({ name, json }, index) =>
            block(
              index,
              { type: 'tool_use', id: `call_${first + index}`, name, input: {} },
              halves(json).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
            ),
          )
    const stop_reason = typeof reply === 'string' ? 'end_turn' : 'tool_use'
    return [
      { type: 'message_start', message: { role: 'assistant', content: [], usage: {} } },
      ...blocks,
      { type: 'message_delta', delta: { stop_reason }, usage: {} },
      { type: 'message_stop' },
    ]
  },
  read: ({ messages }) => {
    const blocks: Body[] = messages.flatMap(({ content }: Body) => content)
    return {
      calls: blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])),
      results: blocks.flatMap(({ type, tool_use_id, content }) =>
        type === 'tool_result' ? [[tool_use_id, content[0].text] as [string, string]] : [],
      ),
    }
  },
}

async function modelServer({ write }: Vendor, replies: readonly (string | readonly Call[])[]) {
  const asked: Body[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    const events = write(replies[asked.length] ?? 'Too many.', 10 * asked.length)
    asked.push(JSON.parse(body))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const lines = events.map((event) => {
      const name = 'type' in event ? `event: ${event.type}\n` : ''
      return `${name}data: ${JSON.stringify(event)}\n\n`
    })
    response.end(lines.join(''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, [Symbol.asyncDispose]: close }
}

const code = (text: string): Call => ({ name: 'execute_code', json: JSON.stringify({ code: text }) })

describe.skipIf(!python.isMet)(`native tool calls over the wire ${python.reason}`, () => {
  test.each([
    ['openai', openai],
    ['anthropic', anthropic],
  ])('%s: parser "auto" takes them, and each call has its result in the next request', async (_name, vendor) => {
    const broken = { name: 'execute_code', json: '{"code":"x' }
    await using server = await modelServer(vendor, [
      [code('n = double(20)\nprint(n)'), code('1 / 0'), code('never()')],
      [{ name: 'what', json: '{}' }, broken],
      [code('n + 2')],
      'It is 42.',
    ])
    const agent = await createAgent({
      model: vendor.choice(server.url),
      parser: 'auto',
      executor: { name: 'local', isolation: 'none' },
      tools: [double],
    })
    expect(await agent.run('x')).toMatchObject({ stop: 'answer', answer: 'It is 42.' })
    const { calls, results } = vendor.read(server.asked[3] ?? {})
    expect(calls).toEqual(['call_0', 'call_1', 'call_2', 'call_10', 'call_11', 'call_20'])
    expect(results).toEqual([
      ['call_0', '40'],
      ['call_1', expect.stringContaining('ZeroDivisionError')],
      ['call_2', expect.stringContaining('not run')],
      ['call_10', expect.stringContaining('There is no tool "what"')],
      ['call_11', expect.stringContaining("name 'x' is not defined")],
      ['call_20', '42'],
    ])
    expect(server.asked[0]?.tools).toHaveLength(1)
  })

  test.each([
    ['openai', openai],
    ['anthropic', anthropic],
  ])('%s: tools that the model may call itself are declared, and answered', async (_name, vendor) => {
    await using server = await modelServer(vendor, [[{ name: 'double', json: '{"a": 21}' }], 'It is 42.'])
    const agent = await createAgent({
      model: vendor.choice(server.url),
      parser: { name: 'tool-call', direct: ['double'] },
      executor: { name: 'local', isolation: 'none' },
      tools: [double],
    })
    expect((await agent.run('x')).answer).toBe('It is 42.')
    expect(server.asked[0]?.tools).toHaveLength(2)
    expect(vendor.read(server.asked[1] ?? {}).results).toEqual([['call_0', '42']])
  })
})
