import type { Exchange } from './exchange.ts'
import { Context } from './notebook.ts'
import type { EmulatedSandbox } from './sandbox.ts'

interface Notebook {
  readonly contexts: Map<string, Context>
  readonly standard: Promise<Context>
}

interface ExecuteRequest {
  readonly code?: unknown
  readonly context_id?: string
  readonly language?: string
  readonly env_vars?: Readonly<Record<string, string>>
}

const KEEPALIVE_MS = 5000
const HOME = '/home/user'

const notebooks = new WeakMap<EmulatedSandbox, Notebook>()

/** The notebook server. The emulator has kernels for Python only. */
export async function serveCodeInterpreter(exchange: Exchange, sandbox: EmulatedSandbox): Promise<void> {
  const notebook = notebookOf(sandbox)
  const { route } = exchange
  if (route === 'GET /health') return say(exchange, 200, '"OK"')
  if (route === 'POST /execute') return execute(exchange, notebook)
  if (route === 'GET /contexts') {
    await notebook.standard
    return exchange.reply(200, [...notebook.contexts.values()].map(describe))
  }
  if (route === 'POST /contexts') return createContext(exchange, sandbox, notebook)
  const id = exchange.path.split('/')[2] ?? ''
  const context = notebook.contexts.get(id)
  if (!context) return say(exchange, 404, `Context ${id} not found`)
  if (route === 'DELETE /contexts/:id') {
    notebook.contexts.delete(id)
    await context.remove()
  } else {
    await context.restart()
  }
  exchange.reply(200, null)
}

async function execute(exchange: Exchange, { contexts, standard }: Notebook): Promise<void> {
  const { code, context_id, language, env_vars = {} } = exchange.json<ExecuteRequest>()
  if (typeof code !== 'string')
    return exchange.reply(422, { detail: [{ loc: ['body', 'code'], msg: 'Field required' }] })
  if (context_id && language) return say(exchange, 400, 'Only one of context_id or language can be provided')
  if (language && language !== 'python')
    return say(exchange, 500, `Failed to create context: no kernel for ${language}`)
  const context = context_id ? contexts.get(context_id) : await standard
  if (!context) return say(exchange, 404, `Context ${context_id} not found`)
  const outlet = exchange.open(200, {})
  const keepalive = setInterval(() => outlet.write(Buffer.from('{"type": "keepalive"}\n'), 'keepalive'), KEEPALIVE_MS)
  const gone = new Promise<void>((resolve) => outlet.onGone(resolve))
  try {
    await context.execute(code, env_vars, gone, (line, isLast) => {
      keepalive.refresh()
      outlet.write(Buffer.from(`${line}\n`), isLast ? 'last' : 'data')
    })
    outlet.end()
  } finally {
    clearInterval(keepalive)
  }
}

async function createContext(exchange: Exchange, sandbox: EmulatedSandbox, { contexts }: Notebook): Promise<void> {
  const { language = 'python', cwd = HOME } = exchange.json<{ language?: string; cwd?: string }>()
  if (language !== 'python') return say(exchange, 500, `Failed to create context: no kernel for ${language}`)
  const context = new Context(sandbox, cwd)
  await context.start()
  contexts.set(context.id, context)
  exchange.reply(200, describe(context))
}

function notebookOf(sandbox: EmulatedSandbox): Notebook {
  const known = notebooks.get(sandbox)
  if (known) return known
  const context = new Context(sandbox, HOME)
  const contexts = new Map([[context.id, context]])
  const notebook = { contexts, standard: context.start().then(() => context) }
  notebook.standard.catch(() => {}) // it is told to whoever waits for it
  notebooks.set(sandbox, notebook)
  return notebook
}

function describe({ id, language, cwd }: Context): unknown {
  return { id, language, cwd }
}

function say(exchange: Exchange, status: number, text: string): void {
  exchange.reply(status, Buffer.from(text), { 'content-type': 'text/plain; charset=utf-8' })
}
