import { expect } from 'vitest'
import type { Said } from './dialect.ts'
import { failureOf } from './failure.ts'
import { drain, type EndEvent, endOf, hearUntil, joined, task } from './hear.ts'
import { closed, type ModelServer } from './model-server.ts'
import { storyOfMessage } from './story.ts'
import type { Subject } from './subject.ts'
import { begun } from './wire.ts'

/** The signal by which a caller says that it has heard enough: the reply ends there, and is not an error. */
export function enoughCases(subject: Subject): void {
  const promise = 'enough'
  /** The beginning of a reply, up to these words, of a server that would never go on by itself. */
  const upTo = (words: string, ...says: Said[]) => begun(subject.until(words, { says }))

  const hear = async (server: ModelServer, words: string): Promise<EndEvent> =>
    (await hearUntil(words, subject.model(server))).end

  subject.group('enough', (it) => {
    it(
      'in mid-stream ends the reply with what came, and closes the socket at once',
      async () => {
        await using server = await subject.serve(upTo('two', { text: ['one ', 'two', ' three'] }))
        const end = await hear(server, 'two')
        expect(storyOfMessage(end.message)).toEqual([{ text: 'one two' }])
        expect(end.finish).toBe('stop-sequence')
        expect(end.usage.isPartial).toBe(true)
        await closed(server)
      },
      { promise },
    )

    it(
      'leaves half a call out, and what was cut can go back',
      async () => {
        const call = { call: 'call_a', name: 'python', json: ['{"code"', ':"1"}'] }
        await using server = await subject.serve(
          upTo('code', { reasoning: ['Hm.'] }, { text: ['So:'] }, call),
          subject.says('ok'),
        )
        const { message } = await hear(server, 'code')
        expect(storyOfMessage(message)).toEqual([{ text: 'So:' }])
        await drain(subject.model(server), { messages: [task('Hi'), message, task('And?')] })
        const [, second] = server.received
        const said = second === undefined ? [] : subject.dialect.read(second).said
        expect(said.filter((item) => 'text' in item)).toEqual([
          { role: 'user', text: 'Hi' },
          { role: 'assistant', text: 'So:' },
          { role: 'user', text: 'And?' },
        ])
      },
      { promise },
    )

    it(
      'in the middle of reasoning keeps none of it: half of it could not go back',
      async () => {
        await using server = await subject.serve(upTo('one', { reasoning: ['one', 'two'] }, { text: ['So.'] }))
        expect((await hear(server, 'one')).message.content).toEqual([])
      },
      { promise },
    )

    it(
      'comes second to an abort',
      async () => {
        await using server = await subject.serve(upTo('one', { text: ['one', 'two'] }))
        const abort = new AbortController()
        const hearing = (async () => {
          const request = { messages: [task('Hi')], enough: abort.signal, signal: abort.signal }
          for await (const _ of subject.model(server).stream(request)) setImmediate(() => abort.abort())
        })()
        expect((await failureOf(hearing)).code).toBe('MODEL_ABORTED')
        await closed(server)
      },
      { promise },
    )

    it('that is never said changes nothing', async () => {
      await using server = await subject.serve(subject.says('ok'))
      const events = await drain(subject.model(server), { enough: new AbortController().signal })
      expect(joined(events, 'text-delta')).toBe('ok')
      expect(endOf(events)).toMatchObject({ finish: 'stop' })
      expect(endOf(events).usage.isPartial ?? false).toBe(false)
    })
  })
}
