import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { CodeActError, type CodeActEvent, eventStamp, Run } from '../src/index.ts'

/** A run that tells of some lines, one after the other, and then ends or fails. */
function telling(lines: readonly string[], failure?: Error): Run<CodeActEvent, number> {
  return new Run(async (emit, signal) => {
    const stamp = eventStamp('r')
    for (const message of lines) {
      emit(stamp({ type: 'progress', id: 'r', message }))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    if (failure !== undefined) throw failure
    return signal.aborted ? -1 : lines.length
  })
}

const LINES = ['one', 'two\nlines', 'a \u2028 separator and \r a return']
const told = (events: readonly CodeActEvent[]) => events.map((event) => event.type === 'progress' && event.message)

async function all<T>(stream: ReadableStream<T>): Promise<T[]> {
  const chunks: T[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

describe('a run as a web stream', () => {
  it('has all events, for each who asks', async () => {
    const run = telling(LINES)
    const [first, second] = await Promise.all([all(run.toReadableStream()), all(run.toReadableStream())])
    expect(told(first)).toEqual(LINES)
    expect(second).toEqual(first)
  })

  it('fails as the run does, which is then no one’s surprise', async () => {
    const reader = telling(['one'], new CodeActError('BOOM', 'it broke')).toReadableStream().getReader()
    expect((await reader.read()).value).toMatchObject({ message: 'one' })
    await expect(reader.read()).rejects.toMatchObject({ code: 'BOOM' })
  })

  it('is cancelled at once, and the run goes on', async () => {
    const run = telling(LINES)
    const reader = run.toReadableStream().getReader()
    await reader.read()
    await reader.cancel()
    expect(await run).toBe(LINES.length)
  })
})

describe('a run as server-sent events', () => {
  let server: Server | undefined
  afterEach(() => new Promise((resolve) => (server === undefined ? resolve(0) : server.close(resolve))))

  /** Serves a run, as a program of a user's would. */
  async function serve(make: () => Run<CodeActEvent, number>): Promise<string> {
    server = createServer((request, response) => {
      const last = request.headers['last-event-id']
      response.setHeader('content-type', 'text/event-stream')
      const after = last === undefined ? undefined : Number(last)
      Readable.fromWeb(make().toEventStream({ after }) as Parameters<typeof Readable.fromWeb>[0]).pipe(response)
    })
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** As the standard reads them: blocks of fields, with a blank line behind each. */
  function read(text: string): Record<string, string>[] {
    const blocks = text.split('\n\n').filter((block) => block !== '')
    return blocks.map((block) =>
      Object.fromEntries(
        block.split(/\r\n|\r|\n/).map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)]),
      ),
    )
  }

  it('reach a client over HTTP, each with its number', async () => {
    const url = await serve(() => telling(LINES))
    const events = read(await (await fetch(url)).text())
    expect(events.map(({ id }) => id)).toEqual(['0', '1', '2'])
    expect(told(events.map(({ data }) => JSON.parse(data ?? '')))).toEqual(LINES)
  })

  it('go on behind the last that a client had', async () => {
    const url = await serve(() => telling(LINES))
    const events = read(await (await fetch(url, { headers: { 'last-event-id': '1' } })).text())
    expect(events.map(({ id }) => id)).toEqual(['2'])
  })

  it('end with the failure', async () => {
    const url = await serve(() => telling(['one'], new CodeActError('BOOM', 'it broke', { hint: 'Mend it.' })))
    const events = read(await (await fetch(url)).text())
    expect(events.at(-1)).toEqual({
      event: 'failure',
      data: JSON.stringify({ code: 'BOOM', message: 'it broke', hint: 'Mend it.' }),
    })
  })

  it('come as they happen', async () => {
    let finish = (): void => {}
    const url = await serve(
      () =>
        new Run(async (emit) => {
          emit(eventStamp('r')({ type: 'progress', id: 'r', message: 'first' }))
          await new Promise<void>((resolve) => {
            finish = resolve
          })
          return 1
        }),
    )
    const reader = (await fetch(url)).body?.getReader()
    const first = await reader?.read()
    expect(new TextDecoder().decode(first?.value)).toContain('"message":"first"')
    finish()
    expect((await reader?.read())?.done).toBe(true)
  })
})
