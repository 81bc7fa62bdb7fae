import { CodeActError, type Executor, type OpenOptions, orAborted, type Sandbox, type Tool } from '@codeact/spec'
import type { Backend } from './backend.ts'
import { FrontDoor } from './front-door.ts'
import { type CheckedOptions, checkOptions, type OptionName, type SandboxOptions } from './options.ts'
import { Pool, WarmBackend } from './pool.ts'
import { toolTable } from './tool-dispatch.ts'

/** What is particular to one sandbox technology; everything else happens here, once, for all of them. */
export interface ExecutorDefinition {
  /** As users write it: `local`. */
  readonly name: string
  /** The languages it can run, the default first. */
  readonly languages: readonly string[]
  readonly options: SandboxOptions
  /** The common options that this executor cannot honour, each with the reason, as the end of a sentence. */
  readonly unsupported: Readonly<Partial<Record<OptionName, string>>>
  readonly isBilled?: boolean
  /** Whether `openBackend` takes `open.resume`. */
  readonly canResume?: boolean
  /** Makes the place for one sandbox, or rejects with a `CodeActError` that says what to do. */
  openBackend(options: OpenOptions): Promise<Backend>
}

/**
 * The front door of every executor: it checks what is asked for, opens the place, starts the kernel, fills in files, and sees
 * to it that nothing outlives `close()`.
 */
export function defineExecutor(definition: ExecutorDefinition): Executor {
  const { name, isBilled = false } = definition
  const languages = definition.options.languages ?? definition.languages
  const open = new Set<FrontDoor>()
  const pool = startPool(definition, languages)

  async function openSandbox(options: OpenOptions = {}): Promise<Sandbox> {
    options.signal?.throwIfAborted()
    const checked = checkOptions(definition)
    if (options.resume !== undefined && definition.canResume !== true) throw cannotResume(name)
    const tools = toolTable(options.tools ?? [])
    const backend = (await takeWarm(options)) ?? (await definition.openBackend(options))
    return started(frontDoor(backend, checked, tools), options)
  }

  async function started(sandbox: FrontDoor, { files = {}, signal }: OpenOptions): Promise<FrontDoor> {
    try {
      for (const [path, data] of Object.entries(files)) await sandbox.files.write(path, data)
      await (signal === undefined ? sandbox.start() : orAborted(sandbox.start(), signal))
    } catch (error) {
      await sandbox.close()
      throw error
    }
    return sandbox
  }

  async function takeWarm({ resume }: OpenOptions): Promise<Backend | undefined> {
    return resume === undefined ? pool?.take() : undefined
  }

  function frontDoor(backend: Backend, checked: CheckedOptions, tools: ReadonlyMap<string, Tool>): FrontDoor {
    const sandbox = new FrontDoor(backend, checked, tools, {
      onClose: (closed) => open.delete(closed),
      onFork: (twin) => started(frontDoor(twin, checked, tools), {}),
    })
    open.add(sandbox)
    return sandbox
  }

  async function close(): Promise<void> {
    await Promise.all([pool?.close(), ...[...open].map((sandbox) => sandbox.close())])
  }

  return { name, languages, isBilled, open: openSandbox, close, [Symbol.asyncDispose]: close }
}

/** Where options are wrong there is none: whoever opens a sandbox is told. */
function startPool(definition: ExecutorDefinition, [language = '']: readonly string[]): Pool | undefined {
  const { pool: wanted } = definition.options
  try {
    checkOptions(definition)
  } catch {
    return undefined
  }
  if (wanted === undefined || wanted.size === 0) return undefined
  const pool = new Pool(wanted.size, async () => WarmBackend.start(await definition.openBackend({}), language))
  pool.fill()
  return pool
}

function cannotResume(name: string): CodeActError {
  return new CodeActError('OPTION_UNSUPPORTED', `${name}() cannot resume a suspended sandbox.`)
}
