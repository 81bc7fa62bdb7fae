import { inspect } from 'node:util'
import type { CodeActError } from '@codeact/spec'
import { expect } from 'vitest'
import { drain, joined } from './hear.ts'
import { type Answer, deadAddress } from './model-server.ts'
import { plain, type Subject } from './subject.ts'
import { answered, eventStream } from './wire.ts'

const KEY = 'key-0123456789-of-mine'
const HEADER = 'header-0123456789-of-mine'
const PASSWORD = 'hunter22-of-mine'
const GIVEN = { apiKey: KEY, headers: { 'x-token': HEADER } }

/** What a model was given to keep to itself. */
export function secretCases(subject: Subject): void {
  subject.group('secrets', (it) => {
    for (const [where, answer] of echoes(subject)) {
      it(`that a server repeats ${where} stay out of the error`, async () => {
        expectNone(await subject.failure(answer, GIVEN), 'abcd', 'wxyz')
      })
    }

    it('in a key that no header can hold stay out of the error', async () => {
      const address = await deadAddress()
      for (const apiKey of [`${PASSWORD}\n${KEY}`, `${KEY}\n${PASSWORD}✓`]) {
        expectNone(await subject.failureAt(address, { apiKey }))
      }
    })

    it('in an address stay out of the error', async () => {
      const origin = (await deadAddress()).origin.replace('//', `//me:${PASSWORD}@`)
      expectNone(await subject.failureAt({ origin, baseURL: `${origin}/v1` }))
    })

    it('stay out of what the model shows of itself', async () => {
      await using server = await subject.serve(subject.says('ok'))
      const model = subject.model(server, GIVEN)
      expect(joined(await drain(model), 'text-delta')).toBe('ok')
      expectNoneIn(shown(model))
    })
  })
}

function echoes(subject: Subject): [where: string, answer: Answer][] {
  const echo = `The key ${KEY} with ${HEADER} (sk-abcd****wxyz) is wrong.`
  const { status, body } = subject.dialect.failure('wrong key', echo)
  const inStream =
    (...events: (object | string)[]): Answer =>
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(eventStream([...subject.until('a', plain('a')), ...events]))
    }
  return [
    ['in a failed response', answered(status, body, { 'x-echo': KEY })],
    ['as text', answered(400, echo)],
    ['in the stream', inStream(subject.dialect.failureEvent(echo))],
    ['in a broken event', inStream(KEY)],
  ]
}

function expectNone(error: CodeActError, ...more: readonly string[]): void {
  expect(error.message).not.toBe('')
  expectNoneIn(`${shown(error)} ${error.hint}`, ...more)
}

function expectNoneIn(text: string, ...more: readonly string[]): void {
  for (const secret of [KEY, HEADER, PASSWORD].map((one) => one.slice(0, 8)).concat(more)) {
    expect(text).not.toContain(secret)
  }
}

const shown = (value: unknown) => inspect(value, { depth: null, showHidden: true }) + JSON.stringify(value)
