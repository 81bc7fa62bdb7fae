import { type Answer, answered, drain, endOf, type ModelServer, modelServer, streamed } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { anthropic } from '../src/index.ts'
import { fault, reply } from './blocks.ts'

const STOP = { stop: ['</execute>'] }

const refusal = (words: string) => answered(400, fault('invalid_request_error', words))
const noStop = refusal('stop_sequences: this model takes none.')

/** Answers as a server that knows neither of the fields. */
function strict(refusals: Record<string, Answer>): Answer {
  return (response, received) => {
    const body = JSON.stringify(received.body)
    const field = Object.keys(refusals).find((name) => body.includes(`"${name}"`))
    const answer = field === undefined ? streamed(reply('ok')) : refusals[field]
    return answer?.(response, received)
  }
}

const fieldsOf = (server: ModelServer) =>
  server.received.map(({ body }) =>
    ['stop_sequences', 'cache_control'].filter((name) => JSON.stringify(body).includes(`"${name}"`)),
  )

describe('what the server refuses', () => {
  const ways: [string, Answer][] = [
    ['in the API’s form', noStop],
    ['in a bare message', answered(400, { message: 'unknown field: stop_sequences' })],
    ['in details', answered(422, { detail: [{ loc: ['body', 'stop_sequences'], msg: 'Extra inputs' }] })],
    ['in plain text', answered(400, 'unexpected field stop_sequences')],
  ]
  test.each(ways)('(stop sequences, %s) is left out, once for all calls of the model', async (_way, answer) => {
    await using server = await modelServer(strict({ stop_sequences: answer }))
    const model = anthropic('m', { baseURL: server.origin })
    expect(endOf(await drain(model, STOP)).finish).toBe('stop')
    await drain(model, STOP)
    expect(fieldsOf(server)).toEqual([['stop_sequences', 'cache_control'], ['cache_control'], ['cache_control']])
  })

  test('may be stop sequences and cache marks both', async () => {
    const noMarks = refusal('messages.0.content.0.cache_control: Extra inputs are not permitted')
    await using server = await modelServer(strict({ stop_sequences: noStop, cache_control: noMarks }))
    const model = anthropic('m', { baseURL: server.origin })
    await drain(model, STOP)
    await drain(model, STOP)
    expect(fieldsOf(server)).toEqual([['stop_sequences', 'cache_control'], ['cache_control'], [], []])
  })
})

describe('a 400 that names nothing that was sent', () => {
  const others: [string, Answer][] = [
    ['names another field', refusal('messages: please stop sending them.')],
    ['names it as a 500', answered(500, fault('api_error', 'stop_sequences'))],
  ]
  test.each(others)('(%s) is an error at once', async (_name, answer) => {
    await using server = await modelServer(answer)
    await expect(drain(anthropic('m', { baseURL: server.origin, maxRetries: 0 }), STOP)).rejects.toThrow()
    expect(server.received.length).toBe(1)
  })

  test('(it is still there, as the option `request` has it) is an error after one try without ours', async () => {
    await using server = await modelServer(noStop)
    const model = anthropic('m', { baseURL: server.origin, request: { stop_sequences: ['mine'] } })
    await expect(drain(model, STOP)).rejects.toMatchObject({ code: 'MODEL_BAD_REQUEST' })
    expect(server.received.map(({ body }) => body.stop_sequences)).toEqual([STOP.stop, ['mine']])
  })
})
