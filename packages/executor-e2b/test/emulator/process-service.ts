import { constants } from 'node:os'
import { messageIn, RpcStream, unary } from './connect-rpc.ts'
import type { Exchange } from './exchange.ts'
import type { Faults } from './faults.ts'
import type { EmulatedProcess, ProcessConfig, ProcessEnd } from './process.ts'
import { Refusal } from './refusal.ts'
import type { EmulatedSandbox } from './sandbox.ts'
import { Shuffle } from './shuffle.ts'

interface Selector {
  readonly pid?: number
  readonly tag?: string
}

interface StartRequest {
  readonly process: ProcessConfig
  readonly stdin?: boolean
  readonly tag?: string
  readonly pty?: unknown
}

interface SendInputRequest {
  readonly process: Selector
  readonly input: { readonly stdin?: string; readonly pty?: string }
}

const shuffles = new WeakMap<EmulatedProcess, Shuffle>()

/** `process.Process`: commands. */
export async function serveProcess(method: string, exchange: Exchange, sandbox: EmulatedSandbox, faults: Faults) {
  if (method === 'Start') return start(exchange, sandbox)
  if (method === 'Connect') return connect(exchange, sandbox)
  return unary(exchange, async () => {
    if (method === 'List') return list(sandbox)
    const request = exchange.json<SendInputRequest & { signal?: string }>()
    const process = select(sandbox, request.process)
    if (process.end) throw notFound(request.process)
    if (method === 'SendInput') await sendInput(process, request, faults)
    else if (method === 'CloseStdin') await process.closeStdin()
    else if (method === 'SendSignal') await process.signal(signalNumber(request.signal))
    else throw new Refusal('unimplemented', `the emulator has no process.Process/${method}`)
    return {}
  })
}

async function start(exchange: Exchange, sandbox: EmulatedSandbox): Promise<void> {
  const stream = new RpcStream(exchange)
  const { process: config, stdin = true, tag, pty } = messageIn<StartRequest>(exchange)
  try {
    if (pty) throw new Refusal('unimplemented', 'the emulator has no terminals')
    await sandbox.start(config, { stdin, tag }, (process) => {
      killAfter(exchange.headers['connect-timeout-ms'], process)
      follow(exchange, stream, process)
    })
  } catch (error) {
    stream.end(error)
  }
}

function connect(exchange: Exchange, sandbox: EmulatedSandbox): void {
  const stream = new RpcStream(exchange)
  try {
    follow(exchange, stream, select(sandbox, messageIn<{ process: Selector }>(exchange).process))
  } catch (error) {
    stream.end(error)
  }
}

/** What comes from now on: nothing is kept for whoever comes late. */
function follow(exchange: Exchange, stream: RpcStream, process: EmulatedProcess): void {
  stream.send({ event: { start: { pid: process.pid } } })
  if (process.end) finish(stream, process.end)
  else listen(exchange, stream, process)
}

function listen(exchange: Exchange, stream: RpcStream, process: EmulatedProcess): void {
  let isHeld = false
  const release = (): void => {
    if (isHeld) process.release()
    isHeld = false
  }
  const listener = {
    onOutput(name: string, bytes: Buffer) {
      const keepsUp = stream.send({ event: { data: { [name]: bytes.toString('base64') } } })
      if (keepsUp || isHeld) return
      isHeld = true
      process.hold()
      stream.outlet.onDrain(release)
    },
    onEnd: (end: ProcessEnd) => finish(stream, end),
  }
  process.listeners.add(listener)
  stream.outlet.onGone(() => {
    process.listeners.delete(listener)
    release()
  })
  stream.keepAlive(exchange.headers['keepalive-ping-interval'], { event: { keepalive: {} } })
  stream.endAfter(exchange.headers['connect-timeout-ms'])
}

function finish(stream: RpcStream, end: ProcessEnd): void {
  stream.send({ event: { end } })
  stream.end()
}

/** The deadline of a start is the process's own: no other one, and no lost connection, ends it. */
function killAfter(milliseconds: string | undefined, process: EmulatedProcess): void {
  if (!(Number(milliseconds) > 0)) return
  const kill = (): void => void process.signal(constants.signals.SIGKILL).catch(() => {})
  const timer = setTimeout(kill, Number(milliseconds)).unref()
  process.listeners.add({ onOutput: () => {}, onEnd: () => clearTimeout(timer) })
}

async function sendInput(process: EmulatedProcess, { input }: SendInputRequest, faults: Faults): Promise<void> {
  if (input.stdin === undefined) throw new Refusal('internal', 'tty not assigned to process')
  const bytes = Buffer.from(input.stdin, 'base64')
  if (!faults.reordersStdin) return process.write(bytes)
  const shuffle = shuffles.get(process) ?? new Shuffle()
  shuffles.set(process, shuffle)
  await shuffle.add(() => process.write(bytes))
}

function list({ processes }: EmulatedSandbox): unknown {
  const running = [...processes.values()].filter(({ end, isKernel }) => end === undefined && !isKernel)
  return running.length === 0
    ? {}
    : { processes: running.map(({ pid, config, tag }) => ({ pid, config, ...(tag ? { tag } : {}) })) }
}

function select({ processes }: EmulatedSandbox, selector: Selector): EmulatedProcess {
  const process = [...processes.values()].find(({ pid, tag }) =>
    selector.tag === undefined ? pid === selector.pid : tag === selector.tag,
  )
  if (!process) throw notFound(selector)
  return process
}

function notFound({ pid, tag }: Selector): Refusal {
  return new Refusal('not_found', tag === undefined ? `process with pid ${pid} not found` : `no process tagged ${tag}`)
}

function signalNumber(name = ''): number {
  if (name === 'SIGNAL_SIGKILL') return constants.signals.SIGKILL
  if (name === 'SIGNAL_SIGTERM') return constants.signals.SIGTERM
  throw new Refusal('unimplemented', `invalid signal: ${name}`)
}
