import {
  type Capabilities,
  type CellEvent,
  CodeActError,
  type ExecuteOptions,
  type Execution,
  newId,
  type Rollback,
  Run,
  type Sandbox,
  type SandboxFiles,
  type Tool,
  type Variable,
} from '@codeact/spec'
import type { Backend } from './backend.ts'
import { Cell, type CellOptions } from './cell.ts'
import { sandboxFiles } from './files/sandbox-files.ts'
import { KernelClient } from './kernel-client.ts'
import { canonicalLanguage, narrowed } from './language.ts'
import { dropCopies, goBack, type Kernels, keepCopies } from './named-checkpoints.ts'
import type { CheckedOptions } from './options.ts'
import { makeTwin } from './twin.ts'

interface Surroundings {
  readonly onClose: (sandbox: FrontDoor) => void
  /** Opens a sandbox like this one in that place. */
  readonly onFork: (twin: Backend) => Promise<FrontDoor>
}

/**
 * A sandbox as its users see it, whatever is behind: one cell at a time, first in first out; a kernel per language, started
 * when it is first needed and again after it was lost; nothing left after `close()`.
 */
export class FrontDoor implements Sandbox {
  readonly id = newId('box')
  readonly capabilities: Capabilities
  readonly files: SandboxFiles
  /** Where the sandbox can: puts it to rest between two cells, and gives the id by which `open({ resume })` finds it again. */
  readonly suspend: (() => Promise<string>) | undefined
  readonly #backend: Backend
  readonly #options: CheckedOptions
  readonly #tools: ReadonlyMap<string, Tool>
  readonly #onClose: (sandbox: FrontDoor) => void
  readonly #onFork: (twin: Backend) => Promise<FrontDoor>
  readonly #kernels = new Map<string, Promise<KernelClient>>()
  readonly #closing = new AbortController()
  #last: Promise<void> = Promise.resolve()
  #closed: Promise<void> | undefined

  constructor(
    backend: Backend,
    options: CheckedOptions,
    tools: ReadonlyMap<string, Tool>,
    { onClose, onFork }: Surroundings,
  ) {
    this.#backend = backend
    this.#options = options
    this.#tools = tools
    this.#onClose = onClose
    this.#onFork = onFork
    this.capabilities = narrowed(backend.capabilities, options.languages)
    this.files = sandboxFiles(backend.files)
    const suspend = backend.suspend?.bind(backend)
    if (suspend !== undefined) this.suspend = () => this.#suspend(suspend)
  }

  /**
   * Starts the default language's kernel and runs its setup, so that a sandbox that opened is one that works. Throws
   * `LANGUAGE_UNKNOWN` where the sandbox lacks a language that was asked for.
   */
  async start(): Promise<void> {
    for (const name of this.#options.languages ?? []) canonicalLanguage(name, this.capabilities)
    await this.#kernel(canonicalLanguage(undefined, this.capabilities))
  }

  execute(code: string, options: ExecuteOptions = {}): Run<CellEvent, Execution> {
    const turn = this.#takeTurn()
    return new Run((emit, aborted) => {
      const signals = [aborted, this.#closing.signal, ...(options.signal ? [options.signal] : [])]
      return turn(() => this.#cell(code, options, emit, signals))
    })
  }

  /** The variables of a language's session, between two cells. */
  inspect(language?: string): Promise<readonly Variable[]> {
    return this.#takeTurn()(async () => {
      this.#refuseWhenClosed()
      const kernel = await this.#kernel(canonicalLanguage(language, this.capabilities))
      return (await kernel.questions.inspect()) ?? []
    })
  }

  checkpoint(): Promise<string> {
    return this.#takeTurn()(async () => keepCopies(await this.#alive()))
  }

  release(id: string): Promise<void> {
    return this.#takeTurn()(async () => dropCopies(await this.#alive(), id))
  }

  /** An independent twin, from what there is when its turn comes. */
  fork(): Promise<Sandbox> {
    return this.#takeTurn()(async () => this.#onFork(await makeTwin(this.#backend, await this.#alive())))
  }

  restore(id: string): Promise<Rollback> {
    return this.#takeTurn()(async () => goBack(await this.#alive(), id))
  }

  /** Its kernels, none of which has ended unseen. */
  async #alive(): Promise<Kernels> {
    this.#refuseWhenClosed()
    const kernels = new Map<string, KernelClient>()
    for (const [language, kernel] of this.#kernels) kernels.set(language, await kernel)
    if ([...kernels.values()].some(({ isGone }) => isGone)) throw endedUnseen()
    return kernels
  }

  /** A place in the queue, taken when the caller calls, whenever the work itself begins. */
  #takeTurn(): <T>(work: () => Promise<T>) => Promise<T> {
    const before = this.#last
    let finish: () => void = () => {}
    this.#last = new Promise<void>((resolve) => {
      finish = resolve
    })
    return async (work) => {
      try {
        await before
        return await work()
      } finally {
        finish()
      }
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #cell(
    code: string,
    options: ExecuteOptions,
    emit: (event: CellEvent) => void,
    signals: readonly AbortSignal[],
  ) {
    this.#refuseWhenClosed()
    const language = canonicalLanguage(options.language, this.capabilities)
    const kernel = await this.#kernel(language)
    this.#refuseWhenClosed()
    const { timeoutMs = this.#options.timeoutMs, context, onToolCall } = options
    const cell = this.#newCell({ id: newId('cell'), language, code, timeoutMs, context, onToolCall, emit, signals })
    const execution = await this.#whileBusy(() => cell.run(kernel))
    if (execution.state !== 'kept' && (execution.state === 'lost' || kernel.isGone)) this.#forget(language, kernel)
    return execution
  }

  /** One that died between two cells is given too: the next cell ends as `crashed`, so that the loss is never silent. */
  #kernel(language: string): Promise<KernelClient> {
    const known = this.#kernels.get(language)
    if (known !== undefined) return known
    const started = this.#startKernel(language)
    this.#kernels.set(language, started)
    started.catch(() => this.#kernels.delete(language))
    return started
  }

  async #startKernel(language: string): Promise<KernelClient> {
    const { setup } = this.#options
    const kernel = await KernelClient.start(this.#backend, language, [...this.#tools.values()], this.#options)
    const code = setup[language]
    if (code !== undefined && !kernel.isKept) await this.#setUp(kernel, language, code)
    return kernel
  }

  async #setUp(kernel: KernelClient, language: string, code: string): Promise<void> {
    const { timeoutMs } = this.#options
    const unheard = { context: undefined, emit: () => {}, signals: [this.#closing.signal] }
    const cell = this.#newCell({ id: newId('setup'), language, code, timeoutMs, ...unheard })
    const { status, error } = await this.#whileBusy(() => cell.run(kernel))
    if (status === 'ok') return
    await kernel.close()
    throw new CodeActError('SETUP_FAILED', `The setup code for ${language} failed: ${error?.traceback ?? status}`, {
      hint: 'Correct the option setup, or install in the sandbox what it needs.',
    })
  }

  async #whileBusy<T>(work: () => Promise<T>): Promise<T> {
    this.#backend.setBusy?.(true)
    try {
      return await work()
    } finally {
      this.#backend.setBusy?.(false)
    }
  }

  #suspend(suspend: () => Promise<string>): Promise<string> {
    return this.#takeTurn()(async () => {
      const kernels = [...(await this.#alive()).values()]
      if (kernels.some(({ hasEndUntold }) => hasEndUntold)) throw endedUnseen()
      const id = await suspend()
      this.#closed = Promise.resolve()
      this.#closing.abort()
      this.#onClose(this)
      return id
    })
  }

  #newCell(options: Omit<CellOptions, 'output' | 'tools'>): Cell {
    return new Cell({ ...options, output: this.#options.output, tools: this.#tools })
  }

  /** The kernel is gone, or must go; the next cell starts a new one, and it starts warming up now. */
  #forget(language: string, kernel: KernelClient): void {
    const restarted = kernel.close().then(() => (this.#closed === undefined ? this.#startKernel(language) : kernel))
    this.#kernels.set(language, restarted)
    // Told to the next cell, which tries again.
    restarted.catch(() => this.#kernels.delete(language))
  }

  async #close(): Promise<void> {
    this.#closing.abort()
    await this.#last
    const kernels = await Promise.allSettled(this.#kernels.values())
    await Promise.all(kernels.map((kernel) => (kernel.status === 'fulfilled' ? kernel.value.close() : undefined)))
    await this.#backend.close()
    this.#onClose(this)
  }

  #refuseWhenClosed(): void {
    if (!this.#closing.signal.aborted) return
    throw new CodeActError('SANDBOX_CLOSED', 'The sandbox is closed.', { hint: 'Open another one.' })
  }
}

/** The next cell tells it; one that went on elsewhere would not. */
function endedUnseen(): CodeActError {
  return new CodeActError(
    'SANDBOX_GONE',
    'What ran the code has ended since the last cell, and no cell was told what is lost with it.',
    {
      hint: 'Run a cell, which is told, and do this after that.',
    },
  )
}
