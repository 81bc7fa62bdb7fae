import { expect } from 'vitest'
import { failureOf } from './failure.ts'
import { drain, endOf } from './hear.ts'
import type { Answer, ModelServer } from './model-server.ts'
import type { Subject } from './subject.ts'

const STOP = { stop: ['</execute>'] }

export function stopCases(subject: Subject): void {
  const heard = (server: ModelServer) => server.received.map((received) => subject.dialect.read(received).stop)

  /** Answers as a server that knows no stop sequences. */
  const refusing: Answer = (response, received) => {
    const isSent = subject.dialect.read(received).stop.length > 0
    return (isSent ? subject.fails('stop refused') : subject.says('ok'))(response, received)
  }

  subject.group('stop sequences', (it) => {
    it(
      'are sent as they are',
      async () => {
        await using server = await subject.serve(subject.says('ok'))
        await drain(subject.model(server), STOP)
        expect(heard(server)).toEqual([STOP.stop])
      },
      { promise: 'stop' },
    )

    it('are not sent where none are asked for, as when all blocks of a reply are wanted', async () => {
      await using server = await subject.serve(subject.says('ok'))
      const model = subject.model(server)
      for (const stop of [undefined, []]) await drain(model, { stop })
      expect(heard(server)).toEqual([[], []])
    })

    it('that are refused cost one request, and the model answers all the same', async () => {
      await using server = await subject.serve(refusing)
      const model = subject.model(server)
      for (let call = 0; call < 2; call += 1) expect(endOf(await drain(model, STOP)).finish).toBe('stop')
      expect(heard(server).filter((stop) => stop.length > 0).length).toBeLessThanOrEqual(1)
      expect(heard(server).filter((stop) => stop.length === 0).length).toBe(2)
    })

    it(
      'that are refused to one model are still sent by another',
      async () => {
        await using server = await subject.serve(refusing)
        for (let model = 0; model < 2; model += 1) await drain(subject.model(server), STOP)
        expect(heard(server)).toEqual([STOP.stop, [], STOP.stop, []])
      },
      { promise: 'stop' },
    )

    it('that are refused in two calls at once: both go on', async () => {
      await using server = await subject.serve(refusing)
      const model = subject.model(server)
      const both = await Promise.all([drain(model, STOP), drain(model, STOP)])
      expect(both.map((events) => endOf(events).finish)).toEqual(['stop', 'stop'])
      expect(heard(server).filter((stop) => stop.length === 0).length).toBe(2)
    })

    it('are not blamed for another refusal, which is an error at once', async () => {
      await using server = await subject.serve(subject.fails('bad request', 'No such field: colour.'))
      const error = await failureOf(drain(subject.model(server), STOP))
      expect(error).toMatchObject({ code: 'MODEL_BAD_REQUEST', isRetryable: false })
      expect(server.received.length).toBe(1)
    })
  })
}
