import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tool } from '@codeact/core'
import { CodeActError, type Executor } from '@codeact/spec'
import { describe, expect, test } from 'vitest'
import { createAgent, defineConfig, loadConfig, resolveExecutor, resolveModel, resolveParser } from '../src/index.ts'
import { failure, project } from './project.ts'

const add = tool({
  name: 'add',
  description: 'Adds two numbers.',
  parameters: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } }, required: ['a', 'b'] },
  execute: ({ a, b }: { a: number; b: number }) => a + b,
})

/** An executor for runs that execute nothing. */
const idle: Executor = {
  name: 'idle',
  languages: ['python'],
  open: () => Promise.reject(new CodeActError('IDLE', 'It opens nothing.')),
  close: async () => {},
  [Symbol.asyncDispose]: async () => {},
}

/** A model server that says one thing, and keeps what it was asked. */
async function modelServer(text: string) {
  const asked: { messages: { role: string; content: string }[]; model: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    asked.push(JSON.parse(body))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const choices = [{ index: 0, delta: { content: text }, finish_reason: 'stop' }]
    response.end(`data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return {
    asked,
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    [Symbol.asyncDispose]: close,
  }
}

describe('createAgent()', () => {
  test('makes of names and options an agent that answers', async () => {
    await using server = await modelServer('It is 55.')
    const config = defineConfig({
      model: { name: 'openai', model: 'small', baseURL: server.baseURL, apiKey: 'k' },
      parser: 'fenced',
      executor: idle,
      tools: [add],
      instructions: 'Speak like a sailor.',
    })
    const agent = await createAgent(config)
    const result = await agent.run('Sum 1 to 10.')
    expect(result).toMatchObject({ stop: 'answer', answer: 'It is 55.' })
    expect(server.asked[0]?.model).toBe('small')
    const [system, task] = server.asked[0]?.messages ?? []
    for (const part of ['Speak like a sailor.', 'Adds two numbers.', '```python'])
      expect(system?.content).toContain(part)
    expect(task?.content).toContain('Sum 1 to 10.')
  })

  test('makes one of a config file, and of flags over it', async () => {
    await using server = await modelServer('Done.')
    await using here = await project({
      'codeact.config.json': { model: { name: 'openai', model: 'small', apiKey: 'k' }, limits: { steps: 2 } },
    })
    const config = await loadConfig({
      cwd: here.folder,
      env: {},
      flags: { model: 'openai:large', baseURL: server.baseURL },
    })
    await (await createAgent(config, { executor: idle })).run('Hi')
    expect(server.asked[0]?.model).toBe('large')
  })

  test('takes options over the config', async () => {
    const model = { id: 'mine', async *stream() {} }
    const error = await failure(() =>
      createAgent({ model, executor: idle, limits: { steps: 3 } }, { limits: { steps: 0 } }),
    )
    expect(error.code).toBe('OPTION_INVALID')
  })

  test('without a model says how to name one', async () => {
    const error = await failure(() => createAgent({ executor: idle }))
    expect(error.code).toBe('MODEL_MISSING')
    for (const way of ['--model openai:', 'CODEACT_MODEL=openai:', 'codeact.config.ts'])
      expect(error.hint).toContain(way)
  })

  test('checks a config of the program’s own', async () => {
    const error = await failure(() => createAgent({ executor: { name: 'local', timeoutMs: 0 } }))
    expect(error).toMatchObject({ code: 'CONFIG_INVALID' })
    expect(error.message).toMatch(/^config: executor\.timeoutMs: expected/)
  })
})

describe('one by one', () => {
  test('the defaults are wasm and xml', async () => {
    expect((await resolveExecutor({})).name).toBe('wasm')
    expect((await resolveParser({})).name).toBe('xml')
  })

  test('what is an object already is that object', async () => {
    const model = { id: 'mine', async *stream() {} }
    expect(await resolveModel({ model })).toBe(model)
    expect(await resolveExecutor({ executor: idle })).toBe(idle)
  })

  test('what the adapter throws passes through', async () => {
    const error = await failure(() => resolveModel({ model: { name: 'openai', model: 'm', baseURL: 'localhost:1' } }))
    expect(error.code).toBe('MODEL_BASE_URL')
  })
})
