import { type LoadedConfig, resolveExecutor } from '@codeact/config'
import { CodeActError, type Executor } from '@codeact/spec'
import type { Demonstration, Preload } from '../tasks/demonstration.ts'
import { findPython } from './find-python.ts'

const PYTHONS = ['python3', '/usr/bin/python3']

/** Who runs the code, or why nobody can. */
export type ExecutorFor = { readonly executor: Executor } | { readonly skip: string }

/** The executors of one command: the chosen one, and that one with a module loaded. */
export class Executors implements AsyncDisposable {
  readonly #config: LoadedConfig
  readonly #signal: AbortSignal
  readonly #open = new Map<string, Promise<ExecutorFor>>()

  /** The chosen executor is made at once: a package that is missing is missed before anything begins. */
  static async open(config: LoadedConfig, signal: AbortSignal): Promise<Executors> {
    const executors = new Executors(config, signal)
    await executors.#for(undefined)
    return executors
  }

  private constructor(config: LoadedConfig, signal: AbortSignal) {
    this.#config = config
    this.#signal = signal
  }

  get name(): string {
    return this.#config.executor.name
  }

  for({ preload }: Demonstration): Promise<ExecutorFor> {
    return this.#for(preload)
  }

  #for(preload: Preload | undefined): Promise<ExecutorFor> {
    const key = preload?.module ?? ''
    const known = this.#open.get(key) ?? (preload === undefined ? this.#plain() : this.#preloaded(preload))
    this.#open.set(key, known)
    return known
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await Promise.allSettled(this.#open.values())
    await Promise.all(
      opened.map((one) =>
        one.status === 'fulfilled' && 'executor' in one.value ? one.value.executor.close() : undefined,
      ),
    )
  }

  async #plain(): Promise<ExecutorFor> {
    return { executor: await resolveExecutor(this.#config) }
  }

  /** A module of Python's own installation: in `local` that of an interpreter of this machine, in `docker` and `e2b` that of the image. */
  async #preloaded(preload: Preload): Promise<ExecutorFor> {
    const { executor } = this.#config
    if ('open' in executor) return notThere(preload, executor.name)
    if (executor.name === 'local') return this.#inLocal(preload, executor)
    return executor.name === 'wasm' ? notThere(preload, executor.name) : this.#inImage(preload, executor)
  }

  async #inLocal({ module, python: code, install }: Preload, executor: ChoiceOf<'local'>): Promise<ExecutorFor> {
    const candidates = executor.python === undefined ? PYTHONS : [executor.python]
    const python = await findPython(module, candidates, this.#signal)
    if (python === undefined) return { skip: `no ${module} in ${candidates.join(' or ')}: ${install}` }
    return this.#with({ ...executor, python }, code)
  }

  async #inImage({ module, python: code }: Preload, executor: ChoiceOf<'docker' | 'e2b'>): Promise<ExecutorFor> {
    const found = await this.#with(executor, code)
    try {
      const sandbox = await found.executor.open({ signal: this.#signal })
      await sandbox.close()
      return found
    } catch (error) {
      await found.executor.close()
      if (!CodeActError.is(error) || error.code !== 'SETUP_FAILED') throw error
      return {
        skip: `no ${module} in the ${KINDS[executor.name]}; --executor ${executor.name}:NAME names one that has it`,
      }
    }
  }

  async #with(executor: ChoiceOf<'local' | 'docker' | 'e2b'>, code: string): Promise<{ readonly executor: Executor }> {
    const setup = { ...executor.setup, python: [executor.setup?.python, code].filter(Boolean).join('\n') }
    return { executor: await resolveExecutor({ ...this.#config, executor: { ...executor, setup } }) }
  }
}

const KINDS = { docker: 'image', e2b: 'template' } as const

type ChoiceOf<Name extends string> = Extract<LoadedConfig['executor'], { readonly name: Name }>

function notThere({ module }: Preload, executor: string): ExecutorFor {
  return { skip: `${module} is not there in ${executor}; with --executor local it is shown where Python has it` }
}
