import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Faults } from './faults.ts'
import { Outlet } from './outlet.ts'

/** A request, and the way to answer it. */
export class Exchange {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
  /** As faults name it: `POST /v2/sandboxes/:id/connect`, `process.Process/Start`. */
  readonly route: string
  outlet: Outlet
  readonly #response: ServerResponse
  #isReset = false

  constructor(request: IncomingMessage, response: ServerResponse, body: Buffer, faults: Faults) {
    const url = new URL(request.url ?? '/', 'http://emulator')
    this.method = request.method ?? 'GET'
    this.path = url.pathname
    this.query = url.searchParams
    this.headers = request.headers as Record<string, string | undefined>
    this.body = body
    this.route = routeOf(this.method, this.path)
    this.#response = response
    this.outlet = new Outlet(response, faults, undefined)
  }

  json<T>(): T {
    return (this.body.length === 0 ? {} : JSON.parse(this.body.toString())) as T
  }

  reply(status: number, body?: unknown, headers: Record<string, string> = {}): void {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body))
    const type = Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json'
    const length: Record<string, string> =
      status === 204 ? {} : { 'content-type': type, 'content-length': String(bytes.length) }
    const outlet = this.open(status, { ...length, ...headers })
    if (bytes.length > 0) outlet.write(bytes)
    outlet.end()
  }

  /** The body of every error of E2B: some calls of the SDK look for the code there. */
  refuse(status: number, message: string, more: Readonly<Record<string, unknown>> = {}): void {
    this.reply(status, { code: status, message, ...more })
  }

  open(status: number, headers: Record<string, string>): Outlet {
    if (this.#isReset) this.outlet.drop()
    else this.outlet.head(status, headers)
    return this.outlet
  }

  get isAnswered(): boolean {
    return this.#response.headersSent || this.#response.destroyed
  }

  /** Whether the request still goes on to have its effect. */
  async suffer(fault: Fault | undefined, faults: Faults): Promise<boolean> {
    if (faults.roundTripMs > 0) await sleep(faults.roundTripMs / 2)
    if (!fault) return true
    if (fault.delayMs) await sleep(fault.delayMs)
    if (fault.cut) this.outlet = new Outlet(this.#response, faults, fault.cut)
    if (fault.answer) this.reply(fault.answer.status, fault.answer.body, fault.answer.headers)
    if (fault.reset === 'before') this.outlet.drop()
    this.#isReset = fault.reset === 'after'
    return !fault.answer && fault.reset !== 'before'
  }
}

function routeOf(method: string, path: string): string {
  const rpc = /^\/(\w+\.\w+\/\w+)$/.exec(path)?.[1]
  return rpc ?? `${method} ${path.replace(/(sandboxes|contexts|templates)\/[^/]+/, '$1/:id')}`
}
