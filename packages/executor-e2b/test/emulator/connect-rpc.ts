import { endOfStream, envelope } from './envelope.ts'
import type { Exchange } from './exchange.ts'
import type { Outlet } from './outlet.ts'
import { Refusal } from './refusal.ts'

/** Answers one message with one message. */
export async function unary(exchange: Exchange, answer: () => Promise<unknown>): Promise<void> {
  try {
    exchange.reply(200, await answer())
  } catch (error) {
    const { code, message, status } = asRefusal(error)
    exchange.reply(status, { code, message })
  }
}

const STREAM_TYPE = { 'content-type': 'application/connect+json' }

/** Answers one message with many; errors come in the last one, for the status was sent long before. */
export class RpcStream {
  readonly outlet: Outlet
  #keepalive: NodeJS.Timeout | undefined
  #deadline: NodeJS.Timeout | undefined
  #isOver = false

  constructor(exchange: Exchange) {
    this.outlet = exchange.open(200, STREAM_TYPE)
    this.outlet.onGone(() => this.#stop())
  }

  /** Whether the reader keeps up. */
  send(message: unknown): boolean {
    if (this.#isOver) return true
    this.#keepalive?.refresh()
    return this.outlet.write(envelope(message))
  }

  end(error?: unknown): void {
    if (this.#isOver) return
    this.#stop()
    this.outlet.write(endOfStream(error === undefined ? undefined : wireError(error)), 'last')
    this.outlet.end()
  }

  /** A word now and then in silence, as the request's header wants it. */
  keepAlive(seconds: string | undefined, message: unknown): void {
    const interval = Number(seconds) * 1000
    if (!(interval > 0) || this.#isOver) return
    this.#keepalive = setInterval(() => this.outlet.write(envelope(message), 'keepalive'), interval).unref()
  }

  /** The time that the client gives, if it gives any. */
  endAfter(milliseconds: string | undefined): void {
    if (!(Number(milliseconds) > 0) || this.#isOver) return
    const end = (): void => this.end(new Refusal('deadline_exceeded', 'context deadline exceeded'))
    this.#deadline = setTimeout(end, Number(milliseconds)).unref()
  }

  #stop(): void {
    this.#isOver = true
    clearInterval(this.#keepalive)
    clearTimeout(this.#deadline)
  }
}

/** The one message in the body of a request for a stream. */
export function messageIn<T>({ body }: Exchange): T {
  return JSON.parse(body.subarray(5).toString() || '{}') as T
}

function wireError(error: unknown): { code: string; message: string } {
  const { code, message } = asRefusal(error)
  return { code, message }
}

function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('internal', String(error))
}
