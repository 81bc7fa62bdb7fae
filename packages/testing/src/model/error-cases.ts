import { expect } from 'vitest'
import type { Fault } from './dialect.ts'
import { expectError } from './failure.ts'
import { deadAddress } from './model-server.ts'
import type { ModelPromise, Subject } from './subject.ts'
import { answered } from './wire.ts'

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

const WORDS = 'the words of the server'

/** How servers of all kinds write them, whatever the vendor's own form is. */
const FORMS: readonly (readonly [form: string, body: unknown])[] = [
  ['{ error: { message } }', { error: { message: WORDS } }],
  ['{ error }', { error: WORDS }],
  ['{ message }', { object: 'error', message: WORDS }],
  ['{ detail }', { detail: WORDS }],
  ['{ detail: […] }', { detail: [{ msg: WORDS }] }],
  ['plain text', WORDS],
]

export function errorCases(subject: Subject): void {
  subject.group('a failure', (it) => {
    for (const [fault, code, isRetryable, promise] of ROWS) {
      it(
        `(${fault}) -> ${code}, with a hint`,
        async () => {
          const error = await subject.failure(subject.fails(fault, WORDS))
          expectError(error, code, isRetryable)
          expect(error.message).toContain(WORDS)
        },
        { promise },
      )
    }

    for (const [form, body] of FORMS) {
      it(`tells the words of the server, as ${form}`, async () => {
        const error = await subject.failure(answered(400, body))
        expectError(error, 'MODEL_BAD_REQUEST', false)
        expect(error.message).toContain(WORDS)
      })
    }

    for (const host of ['127.0.0.1', 'localhost']) {
      it(`(no server at ${host}) -> MODEL_NETWORK, and where it was looked for`, async () => {
        const origin = (await deadAddress()).origin.replace('127.0.0.1', host)
        const error = await subject.failureAt({ origin, baseURL: `${origin}/v1` })
        expectError(error, 'MODEL_NETWORK', true)
        expect(error.message).toContain('ECONNREFUSED')
        expect(error.message).toContain(origin)
        expect(error.hint).toContain(origin)
      })
    }

    it('(closed before an answer) -> MODEL_NETWORK', async () => {
      const error = await subject.failure((response) => void response.socket?.destroy())
      expectError(error, 'MODEL_NETWORK', true)
    })
  })
}
