import { messageIn, RpcStream, unary } from './connect-rpc.ts'
import type { Exchange } from './exchange.ts'
import { Refusal } from './refusal.ts'
import type { EmulatedSandbox } from './sandbox.ts'

interface Request {
  readonly path?: string
  readonly depth?: number
  readonly source?: string
  readonly destination?: string
}

/** `filesystem.Filesystem`: folders and what is known of files. */
export async function serveFilesystem(method: string, exchange: Exchange, sandbox: EmulatedSandbox): Promise<void> {
  if (method === 'WatchDir') return watch(exchange, sandbox)
  const { agent } = sandbox
  await unary(exchange, async () => {
    const { path = '', depth = 1, source = '', destination = '' } = exchange.json<Request>()
    if (method === 'Stat') return { entry: (await agent.ask('stat', { path })).entry }
    if (method === 'MakeDir') return { entry: (await agent.ask('make-folder', { path })).entry }
    if (method === 'Move') return { entry: (await agent.ask('move', { source, destination })).entry }
    if (method === 'ListDir') return omitEmpty(await agent.ask<{ entries: unknown[] }>('list', { path, depth }))
    if (method !== 'Remove') throw new Refusal('unimplemented', `the emulator has no filesystem.Filesystem/${method}`)
    await agent.ask('remove', { path })
    return {}
  })
}

function omitEmpty({ entries }: { entries: unknown[] }): unknown {
  return entries.length === 0 ? {} : { entries }
}

let lastWatch = 0

async function watch(exchange: Exchange, { agent, watchers }: EmulatedSandbox): Promise<void> {
  const stream = new RpcStream(exchange)
  lastWatch += 1
  const number = lastWatch
  stream.outlet.onGone(() => {
    watchers.delete(number)
    agent.ask('unwatch', { watch: number }).catch(() => {})
  })
  try {
    await agent.ask('watch', { ...messageIn<Request>(exchange), watch: number }, undefined, () => {
      stream.send({ start: {} })
      watchers.set(number, (change) => stream.send({ filesystem: change }))
    })
    stream.keepAlive(exchange.headers['keepalive-ping-interval'], { keepalive: {} })
    stream.endAfter(exchange.headers['connect-timeout-ms'])
  } catch (error) {
    stream.end(error)
  }
}
