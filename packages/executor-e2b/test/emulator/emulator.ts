import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { serveControlPlane } from './control-plane.ts'
import { serveDataPlane } from './data-plane.ts'
import { Exchange } from './exchange.ts'
import { Faults } from './faults.ts'
import { type RequestRecord, recordOf } from './record.ts'
import type { EmulatedSandbox } from './sandbox.ts'
import { Sandboxes } from './sandboxes.ts'

export interface EmulatorOptions {
  /** Where it listens on 127.0.0.1. Default: a free port. */
  readonly port?: number
  /** The key that is accepted. */
  readonly apiKey?: string
  /** Templates that exist. All but `base` have a notebook. Default: `base` and `code-interpreter-v1`. */
  readonly templates?: readonly string[]
  /** Sandboxes that may reach the internet share the host's network; else none reaches anything. Default false. */
  readonly hasInternet?: boolean
}

/** E2B's API, its gateway and its sandboxes, on one port of this machine. */
export interface Emulator extends AsyncDisposable {
  /** Both `apiUrl` and `sandboxUrl` of the SDK. */
  readonly url: string
  readonly apiUrl: string
  readonly apiKey: string
  /** What the SDK's calls take. */
  readonly connection: { readonly apiUrl: string; readonly sandboxUrl: string; readonly apiKey: string }
  /** Those that are running or paused. */
  readonly sandboxes: ReadonlyMap<string, EmulatedSandbox>
  readonly faults: Faults
  /** All that came, in order. */
  readonly requests: RequestRecord[]
  /** Every connection ends, and nobody gets one, until `goOnline`. */
  goOffline(): void
  goOnline(): void
  close(): Promise<void>
}

const DEFAULT_KEY = `e2b_${'0'.repeat(40)}`

/** Starts an emulator: the control plane, and sandboxes made of real processes inside bubblewrap. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { port = 0, apiKey = DEFAULT_KEY, templates = ['base', 'code-interpreter-v1'], hasInternet = false } = options
  const faults = new Faults()
  const sandboxes = new Sandboxes(apiKey, templates, hasInternet, faults)
  const requests: RequestRecord[] = []
  const sockets = new Set<Socket>()
  let isOffline = false
  const server = createServer((request, response) => void serve(request, response))
  server.keepAliveTimeout = 0 // the client ends idle connections first: it is never surprised by an end
  server.on('connection', (socket) => {
    if (isOffline) return socket.destroy()
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await wholeBody(request)
    if (body === undefined) return
    const exchange = new Exchange(request, response, body, faults)
    requests.push(recordOf(exchange))
    if (!(await exchange.suffer(faults.take(exchange.route), faults))) return
    const isForSandbox = exchange.headers['e2b-sandbox-port'] !== undefined
    const served = isForSandbox ? serveDataPlane(exchange, sandboxes, faults) : serveControlPlane(exchange, sandboxes)
    await served.catch((error: unknown) => {
      if (!exchange.isAnswered) exchange.refuse(500, String(error))
    })
  }

  const dropAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    await sandboxes.close()
    dropAll()
    await closed
  }
  return {
    url,
    apiUrl: url,
    apiKey,
    connection: { apiUrl: url, sandboxUrl: url, apiKey },
    sandboxes: sandboxes.all,
    faults,
    requests,
    goOffline() {
      isOffline = true
      dropAll()
    },
    goOnline() {
      isOffline = false
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Nothing of a request that broke off. */
async function wholeBody(request: IncomingMessage): Promise<Buffer | undefined> {
  try {
    return Buffer.concat(await request.toArray())
  } catch {
    return undefined
  }
}
