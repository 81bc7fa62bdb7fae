import type { LanguageModel } from '@codeact/spec'
import { expect, vi } from 'vitest'
import type { Script } from './dialect.ts'
import { failureOf } from './failure.ts'
import { drain, endOf, joined, task } from './hear.ts'
import type { Answer } from './model-server.ts'
import { storyOf } from './story.ts'
import { plain, type Subject } from './subject.ts'
import { answered, brokenOff, eventStream, slices, tersely } from './wire.ts'

const TEXT = ['x = "größe ✓"\n\n', '👩‍🔬 data: {"a": 1}\r\n', 'ok']
const SHORT: Script = { says: [{ text: ['ß', '✓'] }], isTerse: true }
const CALLS_AT_ONCE = 8

export function streamCases(subject: Subject): void {
  subject.group('the stream', (it) => {
    for (const [name, slice] of Object.entries(slices)) {
      it(`in pieces (${name}), with each of the line ends, gives the same text`, async () => {
        for (const newline of ['\n', '\r\n', '\r']) {
          const answer = subject.says({ says: [{ text: TEXT }] }, { slice, newline })
          await using server = await subject.serve(answer)
          const events = await drain(subject.model(server))
          expect(storyOf(events)).toEqual([{ text: TEXT.join('') }])
          expect(endOf(events).message.content).toEqual([{ type: 'text', text: TEXT.join('') }])
        }
      })
    }

    it('is told while it is still being written', async () => {
      let finishReply = () => {}
      const isSeen = new Promise<void>((resolve) => {
        finishReply = resolve
      })
      const script = { says: [{ text: ['first', 'second'] }] }
      const whole = eventStream(subject.dialect.reply(script))
      const { length } = eventStream(subject.until('first', script))
      await using server = await subject.serve(async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(whole.subarray(0, length))
        await isSeen
        response.end(whole.subarray(length))
      })
      const stream = subject.model(server).stream({ messages: [task('Hi')] })
      for await (const event of stream) if (event.type === 'text-delta') finishReply()
      await isSeen // where nothing is told before the end, the test runs out of time
    })

    it('cut at every byte tells a beginning, and only what is whole ends', cutEverywhere, { timeoutMs: 120_000 })

    it(
      'lost behind the reply, before its counts, is whole all the same',
      async () => {
        const [bytes, end] = wholeReply(subject)
        await using server = await subject.serve(brokenOff(bytes, end, 'lost'))
        expect(joined(await drain(subject.model(server, { maxRetries: 0 })), 'text-delta')).toBe('ß✓')
      },
      { promise: 'whole-without-counts' },
    )

    it('that broke off after a text is not asked for again: nothing is told twice', async () => {
      const begun = subject.until('one', { says: [{ text: ['one', 'two'] }] })
      await using server = await subject.serve((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(eventStream(begun))
      }, subject.says('one two'))
      expect(await failureOf(drain(subject.model(server)))).toMatchObject({
        code: 'MODEL_STREAM_CUT',
        isRetryable: true,
        hint: expect.stringMatching(/./),
      })
      expect(server.received.length).toBe(1)
    })

    it('with a failure in it tells the words of the server', async () => {
      const begun = subject.until('one', plain('one'))
      const failed = eventStream([...begun, subject.dialect.failureEvent('out of memory')])
      const error = await subject.failure((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(failed)
      })
      expect(['MODEL_STREAM_CUT', 'MODEL_OVERLOADED']).toContain(error.code)
      expect(error.isRetryable).toBe(true)
      expect(error.message).toContain('out of memory')
    })

    it('with an event that is not JSON is cut, and nothing is printed', async () => {
      const begun = eventStream(subject.until('one', plain('one')))
      const printed = (['log', 'info', 'warn', 'error'] as const).map((name) =>
        vi.spyOn(console, name).mockImplementation(() => {}),
      )
      try {
        const error = await subject.failure((response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.end(Buffer.concat([begun, Buffer.from('data: {"type": \n\n')]))
        })
        expect(error).toMatchObject({ code: 'MODEL_STREAM_CUT', isRetryable: true })
        for (const spy of printed) expect(spy).not.toHaveBeenCalled()
      } finally {
        for (const spy of printed) spy.mockRestore()
      }
    })

    it('that is a page in truth is no reply', async () => {
      const error = await subject.failure(answered(200, '<!doctype html>\n<title>Welcome</title>\n\n<p>hi</p>'))
      expect(error).toMatchObject({ code: 'MODEL_BAD_RESPONSE', isRetryable: false, hint: expect.stringMatching(/./) })
      expect(error.message).toContain('text/plain')
    })

    it('under a content type that nobody knows is read all the same', async () => {
      await using server = await subject.serve((response) => {
        response.writeHead(200, { 'content-type': 'application/octet-stream' })
        response.end(eventStream(subject.dialect.reply(plain('ok'))))
      })
      expect(joined(await drain(subject.model(server)), 'text-delta')).toBe('ok')
    })

    it('gives its connection back for further calls', async () => {
      await using server = await subject.serve(subject.says('ok'))
      const model = subject.model(server)
      for (let call = 0; call < 6; call += 1) await drain(model)
      expect(server.received.length).toBe(6)
      // Two, for the first may not be free yet when the second call comes.
      expect(new Set(server.received.map(({ socket }) => socket)).size).toBeLessThanOrEqual(2)
    })
  })

  async function cutEverywhere(): Promise<void> {
    const [bytes, end] = wholeReply(subject)
    const answer: Answer = (response, received) => {
      const cut = Number(
        subject.dialect
          .read(received)
          .said.flatMap((item) => ('text' in item ? item.text : []))
          .at(-1),
      )
      // By turns, so that it takes half as long.
      const way = cut % 2 === 0 && cut < bytes.length ? 'lost' : 'ended'
      return brokenOff(bytes, cut, way)(response, received)
    }
    await using server = await subject.serve(answer)
    const model = subject.model(server, { maxRetries: 0 })
    const cutAt = async (cut: number) => {
      const { told, code } = await listen(model, `${cut}`)
      expect('ß✓'.startsWith(told), `byte ${cut}: ${told}`).toBe(true)
      // Two bytes before, only line ends are missing, and behind it counts can be: either is right.
      if (cut === bytes.length || code === undefined) expect([cut, told, code]).toEqual([cut, 'ß✓', undefined])
      else expect([cut, code]).toEqual([cut, 'MODEL_STREAM_CUT'])
      if (code === undefined) expect(cut).toBeGreaterThanOrEqual(end - 2)
    }
    let next = 0
    const oneByOne = async () => {
      while (next < bytes.length) await cutAt(++next)
    }
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, oneByOne))
    expect(server.received.length).toBe(bytes.length)
  }
}

/** A short reply, and up to where it is whole. */
function wholeReply({ dialect }: Subject): [bytes: Buffer, end: number] {
  const events = dialect.reply(SHORT)
  const end = events.findIndex((event) => dialect.isEnd(event))
  if (end < 0) throw new Error('No event of the reply is one with which it is whole.')
  return [tersely(events), tersely(events.slice(0, end + 1)).length]
}

/** All that a call told, and the code of its failure. */
async function listen(model: LanguageModel, text: string): Promise<{ told: string; code: string | undefined }> {
  let told = ''
  try {
    for await (const event of model.stream({ messages: [task(text)] }))
      if (event.type === 'text-delta') told += event.text
    return { told, code: undefined }
  } catch (error) {
    return { told, code: (error as { code: string }).code }
  }
}
