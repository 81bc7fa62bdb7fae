import type { Exchange } from './exchange.ts'
import type { EmulatedSandbox, SandboxSettings } from './sandbox.ts'
import type { Sandboxes } from './sandboxes.ts'

const ENVD_VERSION = '0.6.13'

/** The API that makes sandboxes, finds them and ends them. */
export async function serveControlPlane(exchange: Exchange, sandboxes: Sandboxes): Promise<void> {
  if (exchange.headers['x-api-key'] !== sandboxes.apiKey) {
    return exchange.refuse(401, 'Invalid API key')
  }
  if (exchange.route === 'POST /v2/sandboxes') return create(exchange, sandboxes)
  if (exchange.route === 'GET /v2/sandboxes') return list(exchange, sandboxes)
  const action = ACTIONS[exchange.route]
  if (!action) return exchange.refuse(404, `the emulator has no ${exchange.method} ${exchange.path}`)
  const id = /sandboxes\/([^/]+)/.exec(exchange.path)?.[1] ?? ''
  const sandbox = sandboxes.all.get(id)
  if (!sandbox) return exchange.refuse(404, `sandbox "${id}" not found`)
  await action(exchange, sandbox)
}

type Action = (exchange: Exchange, sandbox: EmulatedSandbox) => void | Promise<void>

const ACTIONS: Readonly<Record<string, Action>> = {
  'GET /sandboxes/:id': (exchange, sandbox) => exchange.reply(200, detail(sandbox)),
  'DELETE /sandboxes/:id': async (exchange, sandbox) => {
    await sandbox.kill()
    exchange.reply(204)
  },
  'POST /v2/sandboxes/:id/connect': async (exchange, sandbox) => {
    const { timeout, memory } = exchange.json<{ timeout?: number; memory?: boolean }>()
    const isPaused = sandbox.state === 'paused'
    if (isPaused) await sandbox.resume(timeout, memory !== false)
    else sandbox.extendTimeout(timeout)
    exchange.reply(isPaused ? 201 : 200, summary(sandbox))
  },
  'POST /sandboxes/:id/timeout': (exchange, sandbox) => {
    if (sandbox.state !== 'running') return exchange.refuse(404, `sandbox "${sandbox.id}" not found`)
    sandbox.setTimeout(exchange.json<{ timeout: number }>().timeout)
    exchange.reply(204)
  },
  'POST /sandboxes/:id/pause': async (exchange, sandbox) => {
    if (sandbox.state === 'paused') return exchange.refuse(409, `sandbox "${sandbox.id}" is already paused`)
    await sandbox.pause(exchange.json<{ memory?: boolean }>().memory !== false)
    exchange.reply(204)
  },
  'PUT /sandboxes/:id/network': (exchange, sandbox) => {
    sandbox.network = exchange.json()
    exchange.reply(204)
  },
  'GET /sandboxes/:id/metrics': (exchange) => exchange.reply(200, [metrics()]),
}

async function create(exchange: Exchange, sandboxes: Sandboxes): Promise<void> {
  const settings = exchange.json<SandboxSettings>()
  if (!sandboxes.templates.includes(settings.templateID)) {
    return exchange.refuse(404, `template '${settings.templateID}' not found`)
  }
  if (asksForTooMuch(settings.network)) return exchange.refuse(400, NO_DENIAL)
  if (sandboxes.isFull) {
    return exchange.refuse(429, `you have reached the maximum number of concurrent E2B sandboxes (${sandboxes.limit})`)
  }
  exchange.reply(201, summary(await sandboxes.open(settings)))
}

const NO_DENIAL =
  "When specifying allowed domains in allow out, you must include 'ALL_TRAFFIC' in deny out to block all other traffic."

/** A list of allowed names says nothing where everything else is allowed as well. */
function asksForTooMuch({ allowOut = [], denyOut = [] }: NonNullable<SandboxSettings['network']> = {}): boolean {
  return allowOut.some((host) => /[a-z]/i.test(host)) && !denyOut.includes('0.0.0.0/0')
}

/** Newest first, page by page: the token is the id after which the next page begins. */
function list(exchange: Exchange, sandboxes: Sandboxes): void {
  const { query } = exchange
  const states = query.get('state')?.split(',')
  const metadata = [...new URLSearchParams(query.get('metadata') ?? '')].map((pair) => pair.map(decodeURIComponent))
  const matching = [...sandboxes.all.values()]
    .filter(({ state }) => !states || states.includes(state))
    .filter(({ settings }) => metadata.every(([key = '', value]) => settings.metadata?.[key] === value))
  if (query.get('order') !== 'asc') matching.reverse()
  const from = matching.findIndex(({ id }) => id === query.get('nextToken')) + 1
  const page = matching.slice(from, from + Number(query.get('limit') ?? 100))
  const last = page.at(-1)
  const isMore = last !== undefined && last !== matching.at(-1)
  exchange.reply(200, page.map(detail), isMore ? { 'x-next-token': last.id } : {})
}

function summary({ id, settings, token }: EmulatedSandbox): unknown {
  return {
    sandboxID: id,
    templateID: settings.templateID,
    clientID: 'emulator',
    envdVersion: ENVD_VERSION,
    envdAccessToken: token,
    trafficAccessToken: null,
    domain: null,
  }
}

function detail(sandbox: EmulatedSandbox): unknown {
  const { settings, startedAt, endAt, state, network, token } = sandbox
  return {
    ...(summary(sandbox) as object),
    envdAccessToken: token,
    startedAt: startedAt.toISOString(),
    endAt: endAt.toISOString(),
    state,
    cpuCount: 2,
    memoryMB: 512,
    diskSizeMB: 1024,
    metadata: settings.metadata ?? {},
    allowInternetAccess: settings.allow_internet_access ?? null,
    ...(network ? { network } : {}),
  }
}

function metrics(): unknown {
  const used = { cpuUsedPct: 1, memUsed: 2 ** 26, memCache: 0, diskUsed: 2 ** 20 }
  return { timestamp: new Date().toISOString(), cpuCount: 2, memTotal: 2 ** 29, diskTotal: 2 ** 30, ...used }
}
