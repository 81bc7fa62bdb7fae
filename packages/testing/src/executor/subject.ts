import type { Execution, Executor, OpenOptions, PromiseName, Sandbox } from '@codeact/spec'
import { afterEach, describe, it, type TestContext } from 'vitest'
import type { SuiteOptions } from '../describe-executor.ts'

type Case = (sandbox: Sandbox) => Promise<void>

/** The executor under test: opens sandboxes for the cases, and closes them whatever happens. */
export class Subject {
  readonly #create: (options: SuiteOptions) => Executor
  readonly #open: Executor[] = []

  constructor(create: (options: SuiteOptions) => Executor) {
    this.#create = create
    afterEach(() => this.closeAll())
  }

  executor(options: SuiteOptions = {}): Executor {
    const executor = this.#create(options)
    this.#open.push(executor)
    return executor
  }

  async open(options: SuiteOptions = {}, open: OpenOptions = {}): Promise<Sandbox> {
    return this.executor(options).open(open)
  }

  /** The cases of one row of the contract. */
  promise(row: PromiseName, cases: (it: (title: string, run: Case, detail?: string) => void) => void): void {
    describe(row, () => {
      cases((title, run, detail) => {
        it(title, async (test) => {
          const sandbox = await this.open()
          skipWhereExcepted(test, sandbox, detail === undefined ? row : `${row}.${detail}`)
          await run(sandbox)
        })
      })
    })
  }

  /** Closes everything that was opened. */
  async closeAll(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((executor) => executor.close()))
  }
}

/** Skips a case whose promise, or one around it, is declared as not kept. */
export function skipWhereExcepted(test: TestContext, sandbox: Sandbox, promise: string): void {
  const found = sandbox.capabilities.exceptions.find(
    (one) => promise === one.promise || promise.startsWith(`${one.promise}.`),
  )
  test.skip(found !== undefined, `${promise}: ${found?.reason}`)
}

/** Skips a case that is written in Python where cells without a language are in another. */
export function skipWithoutPython(test: TestContext, first: string | undefined): void {
  test.skip(first !== 'python', 'these cases are written in Python, which is not the first of its languages')
}

/** The text of the value that code ends in. */
export async function evaluate(sandbox: Sandbox, code: string): Promise<string | undefined> {
  const execution = await sandbox.execute(code)
  if (execution.status !== 'ok') throw new Error(`${execution.status}: ${execution.error?.traceback}`)
  return execution.value?.['text/plain']
}

export async function stdoutOf(sandbox: Sandbox, code: string): Promise<string> {
  return (await sandbox.execute(code)).stdout
}

export function lastLine({ error }: Execution): string | undefined {
  return error?.traceback.trimEnd().split('\n').at(-1)
}
