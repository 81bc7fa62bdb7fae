import type { Execution, Executor, OpenOptions, PromiseName, Sandbox } from '@codeact/spec'
import { afterAll, afterEach, describe, it, type TestContext } from 'vitest'
import type { SuiteOptions } from '../describe-executor.ts'

type Case = (sandbox: Sandbox) => Promise<void>
type Cases = (it: (title: string, run: Case, detail?: string) => void) => void

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

  /** The cases of one row of the contract, each in a sandbox of its own. */
  promise(row: PromiseName, cases: Cases): void {
    this.#row(row, cases, () => this.open())
  }

  /**
   * The cases of a row that leave nothing behind but variables: they run in one session, as a user's would, which also spares
   * most of the time of executors that are slow to start. After a case that failed it is another one.
   */
  promiseInOneSession(row: PromiseName, cases: Cases): void {
    let session: Promise<Sandbox> | undefined
    const end = async (): Promise<void> => {
      const ending = session
      session = undefined
      await (await ending)?.close()
    }
    const open = (test: TestContext): Promise<Sandbox> => {
      test.onTestFailed(end)
      session ??= this.#create({}).open()
      return session
    }
    this.#row(row, cases, open, end)
  }

  #row(row: PromiseName, cases: Cases, open: (test: TestContext) => Promise<Sandbox>, end?: () => Promise<void>): void {
    describe(row, () => {
      if (end !== undefined) afterAll(end)
      cases((title, run, detail) => {
        it(title, async (test) => {
          const sandbox = await open(test)
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
