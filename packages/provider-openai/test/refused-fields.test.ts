import { type Answer, answered, drain, endOf, type ModelServer, modelServer, streamed } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { openai } from '../src/index.ts'
import { reply } from './chat/chunks.ts'
import { responseEvents } from './responses/events.ts'

const STOP = { stop: ['</execute>'] }

/** Answers as a server that knows neither of the fields, in one of the ways that servers have for saying so. */
function strict(refusals: Record<string, Answer>): Answer {
  return (response, received) => {
    const field = Object.keys(refusals).find((name) => name in received.body)
    const answer = field === undefined ? streamed(reply('ok')) : refusals[field]
    return answer?.(response, received)
  }
}

const fieldsOf = (server: ModelServer) =>
  server.received.map(({ body }) => ['stop', 'stream_options'].filter((name) => name in body))

describe('a field that the server refuses', () => {
  const ways: [string, Answer][] = [
    [
      'as param',
      answered(400, { error: { message: 'Unsupported parameter.', param: 'stop', code: 'unsupported_parameter' } }),
    ],
    ['in the message', answered(400, { error: { message: "'stop' is not supported with this model." } })],
    ['in a bare message', answered(400, { object: 'error', message: 'unknown field: stop', code: 400 })],
    [
      'in a list of details',
      answered(422, { detail: [{ loc: ['body', 'stop'], msg: 'Extra inputs are not permitted' }] }),
    ],
    ['in plain text', answered(400, 'unexpected field stop')],
  ]
  for (const [way, refusal] of ways) {
    test(`(${way}) is left out, once for all calls of the model`, async () => {
      await using server = await modelServer(strict({ stop: refusal }))
      const model = openai('m', { baseURL: server.baseURL })
      expect(endOf(await drain(model, STOP)).finish).toBe('stop')
      await drain(model, STOP)
      expect(fieldsOf(server)).toEqual([['stop', 'stream_options'], ['stream_options'], ['stream_options']])
    })
  }

  test('may be stop and stream_options both', async () => {
    const refuse = (param: string) => answered(400, { error: { message: `${param}: no`, param } })
    await using server = await modelServer(
      strict({ stop: refuse('stop'), stream_options: refuse('stream_options.include_usage') }),
    )
    const model = openai('m', { baseURL: server.baseURL })
    await drain(model, STOP)
    await drain(model, STOP)
    expect(fieldsOf(server)).toEqual([['stop', 'stream_options'], ['stream_options'], [], []])
  })
})

describe('a field of the Responses API that the server refuses', () => {
  const ways: [string, Answer][] = [
    [
      'as OpenAI does',
      answered(400, { error: { message: 'Encrypted content is not supported with this model.', param: 'include' } }),
    ],
    ['as param of an element', answered(400, { error: { message: 'no', param: 'include[0]' } })],
    ['without param', answered(400, { error: { message: 'Encrypted content is not supported with this model.' } })],
    ['in a list of details', answered(422, { detail: [{ loc: ['body', 'include'], msg: 'Extra inputs' }] })],
  ]
  for (const [way, refusal] of ways) {
    test(`(include, ${way}) is left out, once for all calls of the model`, async () => {
      const answer: Answer = (response, received) =>
        ('include' in received.body ? refusal : streamed(responseEvents([{ text: ['ok'] }])))(response, received)
      await using server = await modelServer(answer)
      const model = openai('m', { api: 'responses', baseURL: server.baseURL })
      for (let round = 0; round < 2; round += 1) expect(endOf(await drain(model)).finish).toBe('stop')
      expect(server.received.map(({ body }) => 'include' in body)).toEqual([true, false, false])
      expect(server.received.map(({ body }) => body.store)).toEqual([false, false, false])
    })
  }

  test('(prompt_cache_key) is left out', async () => {
    const refusal = answered(400, { error: { message: "Unknown parameter: 'prompt_cache_key'." } })
    const answer: Answer = (response, received) =>
      ('prompt_cache_key' in received.body ? refusal : streamed(responseEvents([{ text: ['ok'] }])))(response, received)
    await using server = await modelServer(answer)
    await drain(openai('m', { api: 'responses', baseURL: server.baseURL }))
    expect(server.received.map(({ body }) => 'prompt_cache_key' in body)).toEqual([true, false])
  })

  test('(reasoning that cannot be read) is an error, and said once', async () => {
    const message = 'The encrypted content for item rs_1 could not be verified.'
    await using server = await modelServer(answered(400, { error: { message, code: 'invalid_encrypted_content' } }))
    const call = drain(openai('m', { api: 'responses', baseURL: server.baseURL }))
    await expect(call).rejects.toMatchObject({ code: 'MODEL_BAD_REQUEST' })
    expect(server.received.length).toBe(1)
  })
})

describe('stop sequences', () => {
  const cases: [string, boolean][] = [
    ['o1', false],
    ['o3-mini', false],
    ['openai/o4-mini', false],
    ['gpt-5', false],
    ['gpt-5.1-codex', false],
    ['gpt-5-chat-latest', true],
    ['gpt-4o', true],
    ['ft:gpt-4o:me', true],
    ['gpt-oss-120b', true],
    ['qwen3-coder', true],
    ['olmo-2', true],
  ]
  test.each(cases)('to %s: %s', async (name, isSent) => {
    await using server = await modelServer(streamed(reply('ok')))
    await drain(openai(name, { baseURL: server.baseURL }), STOP)
    expect('stop' in (server.received[0]?.body ?? {})).toBe(isSent)
  })
})

describe('a 400 that does not name a field that was sent', () => {
  const others: [string, Answer][] = [
    ['names another', answered(400, { error: { message: 'Please stop sending it.', param: 'messages' } })],
    ['speaks of stopping', answered(400, { error: { message: 'The nonstop endpoint is unstoppable.' } })],
    ['names stop as a 500', answered(500, { error: { message: 'stop' } })],
  ]
  for (const [name, answer] of others) {
    test(`(${name}) is an error at once`, async () => {
      await using server = await modelServer(answer)
      await expect(drain(openai('m', { baseURL: server.baseURL, maxRetries: 0 }), STOP)).rejects.toThrow()
      expect(server.received.length).toBe(1)
    })
  }

  test('(stop was not sent) is an error at once', async () => {
    await using server = await modelServer(answered(400, { error: { message: 'no stop', param: 'stop' } }))
    await expect(drain(openai('m', { baseURL: server.baseURL }))).rejects.toMatchObject({ code: 'MODEL_BAD_REQUEST' })
    expect(server.received.length).toBe(1)
  })
})
