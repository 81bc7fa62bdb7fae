import { expect } from 'vitest'
import type { Fault } from './dialect.ts'
import { failureOf } from './failure.ts'
import { drain, joined } from './hear.ts'
import type { Subject } from './subject.ts'

const SOON = { 'retry-after-ms': '1' }

export function retryCases(subject: Subject): void {
  const failing = (fault: Fault, headers: Readonly<Record<string, string>> = SOON) =>
    subject.fails(fault, undefined, headers)

  subject.group(
    'another try',
    (it) => {
      it('after a rate limit and an overload brings the reply, once, to the same request', async () => {
        await using server = await subject.serve(failing('rate limit'), failing('overload'), subject.says('third'))
        expect(joined(await drain(subject.model(server)), 'text-delta')).toBe('third')
        expect(server.received.map(({ body }) => body)).toEqual(Array(3).fill(server.received[0]?.body))
      })

      it('is made twice by itself, and then it is told', async () => {
        await using server = await subject.serve(failing('overload'))
        const error = await failureOf(drain(subject.model(server)))
        expect(error).toMatchObject({ code: 'MODEL_OVERLOADED', isRetryable: true })
        expect(server.received.length).toBe(3)
      })

      it('is made as often as the user says', async () => {
        await using server = await subject.serve(failing('rate limit'))
        await failureOf(drain(subject.model(server, { maxRetries: 0 })))
        expect(server.received.length).toBe(1)
        await failureOf(drain(subject.model(server, { maxRetries: 1 })))
        expect(server.received.length).toBe(3)
      })

      it('waits for as long as the server asks', async () => {
        await using server = await subject.serve(failing('rate limit', { 'retry-after': '1' }), subject.says('ok'))
        await drain(subject.model(server))
        const [first, second] = server.received.map(({ at }) => at)
        expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(950) // longer than anybody's first pause
      })

      it('is not waited for where the server asks for more than a minute', async () => {
        const pauses = [{ 'retry-after': '3600' }, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }]
        for (const pause of [...pauses, { 'retry-after-ms': '3600000' }]) {
          await using server = await subject.serve(failing('rate limit', pause))
          const error = await failureOf(drain(subject.model(server)))
          expect(error).toMatchObject({ code: 'MODEL_RATE_LIMIT', isRetryable: true })
          expect(server.received.length).toBe(1)
        }
      })

      it('is not made where it would be in vain', async () => {
        for (const fault of ['wrong key', 'unknown model', 'context too long', 'bad request'] as const) {
          await using server = await subject.serve(failing(fault))
          await failureOf(drain(subject.model(server)))
          expect([fault, server.received.length]).toEqual([fault, 1])
        }
      })
    },
    { isConcurrent: true },
  )
}
