import { serveCodeInterpreter } from './code-interpreter.ts'
import { RpcStream } from './connect-rpc.ts'
import { serveEnvdHttp } from './envd-http.ts'
import type { Exchange } from './exchange.ts'
import type { Faults } from './faults.ts'
import { serveFilesystem } from './filesystem-service.ts'
import { serveProcess } from './process-service.ts'
import { Refusal } from './refusal.ts'
import type { EmulatedSandbox } from './sandbox.ts'
import type { Sandboxes } from './sandboxes.ts'

const ENVD = '49983'
const CODE_INTERPRETER = '49999'
/** The one template without a notebook. */
const BARE_TEMPLATE = 'base'
/** All commands run as the first, whichever is asked for. */
const USERS = ['user', 'root']

/** What is asked of a sandbox itself. The port, a header here, tells its servers apart. */
export async function serveDataPlane(exchange: Exchange, { all }: Sandboxes, faults: Faults): Promise<void> {
  const sandboxId = exchange.headers['e2b-sandbox-id'] ?? ''
  const port = exchange.headers['e2b-sandbox-port'] ?? ''
  const sandbox = all.get(sandboxId)
  if (sandbox?.state === 'paused' && sandbox.settings.autoResume?.enabled) await sandbox.resume(undefined, true)
  if (sandbox?.state !== 'running') return exchange.refuse(502, 'The sandbox was not found', { sandboxId })
  if (port !== ENVD && (port !== CODE_INTERPRETER || sandbox.settings.templateID === BARE_TEMPLATE)) {
    return exchange.refuse(502, 'The sandbox is running but port is not open', { sandboxId, port: Number(port) })
  }
  exchange.outlet.onExpiry = () => void sandbox.expire()
  sandbox.exchanges.add(exchange)
  exchange.outlet.onGone(() => sandbox.exchanges.delete(exchange))
  if (port === CODE_INTERPRETER) await serveCodeInterpreter(exchange, sandbox)
  else await serveEnvd(exchange, sandbox, faults)
}

async function serveEnvd(exchange: Exchange, sandbox: EmulatedSandbox, faults: Faults): Promise<void> {
  if (exchange.path === '/health') return exchange.reply(204)
  if (exchange.headers['x-access-token'] !== sandbox.token) {
    return exchange.refuse(
      401,
      'unauthorized access, please provide a valid access token or method signing if supported',
    )
  }
  const user = userOf(exchange)
  if (user !== undefined && !USERS.includes(user)) return refuseUser(exchange, user)
  const [service, method = ''] = exchange.path.slice(1).split('/')
  if (service === 'process.Process') return serveProcess(method, exchange, sandbox, faults)
  if (service === 'filesystem.Filesystem') return serveFilesystem(method, exchange, sandbox)
  return serveEnvdHttp(exchange, sandbox)
}

function refuseUser(exchange: Exchange, user: string): void {
  const refusal = new Refusal('unauthenticated', `invalid username: '${user}'`)
  const isStream = exchange.headers['content-type']?.includes('connect+json')
  if (isStream) new RpcStream(exchange).end(refusal)
  else exchange.reply(401, { code: exchange.path === '/files' ? 401 : refusal.code, message: refusal.message })
}

function userOf({ headers, query }: Exchange): string | undefined {
  const basic = /^Basic (.+)/.exec(headers.authorization ?? '')?.[1]
  if (basic !== undefined) return Buffer.from(basic, 'base64').toString().replace(/:.*/, '')
  return query.get('username') ?? undefined
}
