import { checkpointBytes } from '@codeact/sandbox'
import { CodeActError } from '@codeact/spec'
import type { ConnectionOpts, SandboxOpts } from '@e2b/code-interpreter'
import { DEFAULT_TEMPLATE, type E2bOptions } from './e2b-options.ts'

/** The options of one sandbox after checking, in the SDK's words. */
export interface Settings {
  readonly backend: 'kernel' | 'jupyter'
  readonly template: string
  readonly sandboxId: string | undefined
  readonly idleMs: number
  readonly keepAlive: boolean
  readonly network: Pick<SandboxOpts, 'allowInternetAccess' | 'network'>
  readonly isOpen: boolean
  readonly env: Readonly<Record<string, string>>
  /** Undefined: no checkpoints are taken. */
  readonly checkpointBytes: number | undefined
  readonly connection: Connection
}

export type Connection = Pick<ConnectionOpts, 'domain' | 'apiUrl' | 'sandboxUrl'> & { readonly apiKey: string }

const IDLE_MS = 300_000
/** E2B counts in seconds, and what is extended in time must outlast a slow call or two. */
const LEAST_IDLE_MS = 5000
const EVERYWHERE = '0.0.0.0/0'
/** A host, an address, a range of addresses. */
const DESTINATION = /^[\w.*:-]+(\/\d{1,3})?$/

/**
 * Checks what is particular to E2B, and fills in the defaults. Throws `OPTION_INVALID`, and `EXECUTOR_KEY_MISSING` where there is no
 * key.
 */
export function checkSettings(options: E2bOptions): Settings {
  const { backend = 'kernel', template, sandboxId, idleMs = IDLE_MS, keepAlive = true, network = 'none' } = options
  if (backend !== 'kernel' && backend !== 'jupyter') throw invalid('backend', "'kernel' or 'jupyter'")
  if (sandboxId !== undefined && template !== undefined) throw invalid('template', 'left out where sandboxId is given')
  if (sandboxId !== undefined && options.network !== undefined)
    throw invalid('network', 'left out where sandboxId is given: a sandbox has the network that it was made with')
  if (!(Number.isFinite(idleMs) && idleMs >= LEAST_IDLE_MS))
    throw invalid('idleMs', `a number of milliseconds that is at least ${LEAST_IDLE_MS}`)
  return {
    backend,
    template: template ?? DEFAULT_TEMPLATE,
    sandboxId,
    idleMs,
    keepAlive,
    network: networkOf(network),
    isOpen: network !== 'none',
    env: checkEnvironment(options.env ?? {}),
    checkpointBytes: backend === 'jupyter' ? undefined : checkpointBytes('e2b', options),
    connection: connectionOf(options),
  }
}

function networkOf(network: NonNullable<E2bOptions['network']>): Settings['network'] {
  if (network === 'none') return { allowInternetAccess: false }
  if (network === 'full') return { allowInternetAccess: true }
  const wrong = network.allow.find((destination) => !DESTINATION.test(destination))
  if (wrong !== undefined) {
    throw invalid('network.allow', `a list of hosts, addresses and ranges of addresses, not ${JSON.stringify(wrong)}`)
  }
  if (network.allow.length === 0) return { allowInternetAccess: false }
  return { network: { allowOut: [...network.allow], denyOut: [EVERYWHERE] } }
}

function connectionOf({ apiKey = process.env.E2B_API_KEY, domain, apiUrl, sandboxUrl }: E2bOptions): Connection {
  const key = apiKey?.trim()
  if (!key) throw keyMissing()
  return {
    apiKey: key,
    ...(domain === undefined ? {} : { domain }),
    ...(apiUrl === undefined ? {} : { apiUrl }),
    ...(sandboxUrl === undefined ? {} : { sandboxUrl }),
  }
}

function checkEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(env)) {
    if (name === '' || /[=\0]/.test(name) || value.includes('\0')) {
      throw invalid('env', `names without "=" and values without NUL, which ${JSON.stringify(name)} is not`)
    }
  }
  return env
}

function invalid(name: string, expected: string): CodeActError {
  return new CodeActError('OPTION_INVALID', `e2b(): ${name} must be ${expected}.`)
}

function keyMissing(): CodeActError {
  return new CodeActError('EXECUTOR_KEY_MISSING', 'There is no key for E2B.', {
    hint: 'Get one at https://e2b.dev/dashboard?tab=keys, and set it: export E2B_API_KEY=e2b_…',
  })
}
