import { inspect } from 'node:util'
import type { CodeActError } from '@codeact/spec'
import { expect, vi } from 'vitest'
import type { Fault } from './dialect.ts'
import { failureAt, failureOf } from './failure.ts'
import { drain } from './hear.ts'
import { type Answer, deadAddress } from './model-server.ts'
import { type ModelPromise, plain, type Subject } from './subject.ts'
import { answered, eventStream } from './wire.ts'

type Row = readonly [fault: Fault, code: string, isRetryable: boolean, promise?: ModelPromise]

const ROWS: readonly Row[] = [
  ['bad request', 'MODEL_BAD_REQUEST', false],
  ['wrong key', 'MODEL_AUTH', false],
  ['unknown model', 'MODEL_NOT_FOUND', false],
  ['context too long', 'MODEL_CONTEXT_LENGTH', false],
  ['content refused', 'MODEL_CONTENT_REFUSED', false, 'content-refused'],
  ['rate limit', 'MODEL_RATE_LIMIT', true],
  ['no credit', 'MODEL_RATE_LIMIT', false],
  ['overload', 'MODEL_OVERLOADED', true],
]

export function errorCases(subject: Subject): void {
  subject.group('a failure', (it) => {
    for (const [fault, code, isRetryable, promise] of ROWS) {
      it(
        `(${fault}) -> ${code}, with a hint`,
        async () => expectError(await failureAt(subject, subject.fails(fault)), code, isRetryable),
        { promise },
      )
    }

    it('tells the words of the server, also where they are plain text', async () => {
      const words = 'the words of the server'
      expect((await failureAt(subject, subject.fails('bad request', words))).message).toContain(words)
      const asText = await failureAt(subject, answered(400, words))
      expectError(asText, 'MODEL_BAD_REQUEST', false)
      expect(asText.message).toContain(words)
    })

    it('(no server) -> MODEL_NETWORK, and where it was looked for', async () => {
      const address = await deadAddress()
      const error = await failureOf(drain(subject.model(address, { maxRetries: 0 })))
      expectError(error, 'MODEL_NETWORK', true)
      expect(error.message).toContain('ECONNREFUSED')
      expect(error.message).toContain(address.origin)
      expect(error.hint).toContain(address.origin)
    })

    it('(closed before an answer) -> MODEL_NETWORK', async () => {
      const error = await failureAt(subject, (response) => void response.socket?.destroy())
      expectError(error, 'MODEL_NETWORK', true)
    })

    it(
      '(no key) -> MODEL_KEY_MISSING, and which variable to set',
      async () => {
        const { keyless } = subject.given
        if (keyless === undefined) throw new Error('The subject has no `keyless`, and no exception `key`.')
        try {
          for (const name of keyless.variables) vi.stubEnv(name, undefined)
          const error = await failureOf((async () => drain(keyless.model()))())
          expectError(error, 'MODEL_KEY_MISSING', false)
          expect(`${error.message} ${error.hint}`).toContain(keyless.variables[0])
        } finally {
          vi.unstubAllEnvs()
        }
      },
      { promise: 'key' },
    )
  })

  subject.group('secrets', (it) => {
    for (const [where, answer] of echoes(subject)) {
      it(`that a server repeats ${where} stay out of the error`, async () => {
        const error = await failureAt(subject, answer, { apiKey: KEY, headers: { 'x-token': HEADER } })
        const shown = [inspect(error, { depth: null, showHidden: true }), JSON.stringify(error), error.hint].join()
        expect(error.message).not.toBe('')
        for (const secret of [KEY.slice(0, 8), HEADER.slice(0, 8), 'abcd', 'wxyz']) expect(shown).not.toContain(secret)
      })
    }
  })
}

const KEY = 'key-0123456789-of-mine'
const HEADER = 'header-0123456789-of-mine'

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

function expectError(error: CodeActError, code: string, isRetryable: boolean): void {
  expect(error).toMatchObject({
    code,
    isRetryable,
    hint: expect.stringMatching(/\w/),
    message: expect.stringMatching(/\w/),
  })
}
