import { CodeActError, type SavedSession } from '@codeact/spec'
import type { Files, LazySandbox } from '../loop/lazy-sandbox.ts'
import type { Scope } from '../loop/scope.ts'
import { rebuild } from './rebuild.ts'

export interface RestartOptions {
  /**
   * What becomes of the variables, in a sandbox that is new. `fresh`: they are gone, and the model is told so. `rebuild`: the
   * code of before is run again, with what its tools gave then, so that nothing is done twice. Default `fresh`.
   */
  readonly state?: 'fresh' | 'rebuild'
  /** The files that were given to the session, which are in no log: by name, as `run()` takes them. */
  readonly files?: Files
}

/** A session that goes on from what was saved of it. Its first run tells the model, and rebuilds what is to be. */
export class Restart {
  readonly past: SavedSession
  readonly #files: Files
  readonly #isRebuilt: boolean
  #isTold = false
  #isOpen = false

  /** @throws CodeActError `RESTART_FILES_MISSING` where code is to run again that may need them */
  constructor(past: SavedSession, { state = 'fresh', files = {} }: RestartOptions) {
    this.past = past
    this.#isRebuilt = state === 'rebuild'
    this.#files = files
    const missing = past.files.filter((name) => !Object.hasOwn(files, name))
    if (this.#isRebuilt && missing.length > 0) throw filesMissing(missing)
  }

  /** What the log must say for others to go on from here. */
  get opening() {
    return { cells: this.#isRebuilt ? this.past.cells : [], files: Object.keys(this.#files) }
  }

  /** What the model is to know, once. */
  takeNotes(): readonly string[] {
    if (this.#isTold) return []
    this.#isTold = true
    const { cells, files, begun } = this.past
    const hadState = cells.length + files.length > 0
    const state = !hadState ? '' : this.#isRebuilt ? REBUILT : gone(Object.keys(this.#files))
    return [state, begun.length === 0 ? '' : mayHaveRun(begun)].filter((note) => note !== '')
  }

  /** For a model that was told, and then was not: what it had heard is taken back. */
  tellAgain(): void {
    this.#isTold = false
  }

  /** Makes the sandbox what it is to be. Where that fails, the next run has to do it. */
  async open(sandbox: LazySandbox, scope: Scope): Promise<void> {
    if (this.#isOpen) return
    try {
      await sandbox.put(this.#files, scope)
      if (this.#isRebuilt) await rebuild(this.past.cells, sandbox, scope)
      this.#isOpen = true
    } catch (error) {
      sandbox.discard()
      throw error
    }
  }
}

const REBUILT =
  'The session goes on in a new sandbox, in which your code of before was run again. What code did that was stopped is not there, nor are the files below .codeact/ of before.'

function gone(files: readonly string[]): string {
  const except = files.length === 0 ? '' : `, except for the files ${files.join(', ')}`
  return `The session goes on in a new sandbox: the variables, functions, imports and files of before are gone${except}. Define again what you still need.`
}

function mayHaveRun(begun: readonly string[]): string {
  return `The session was cut off while this was under way. It may have run, in whole or in part, and what it did outside the sandbox is done; its variables are not there:\n${begun.join('\n\n')}`
}

function filesMissing(names: readonly string[]): CodeActError {
  return new CodeActError('RESTART_FILES_MISSING', `The code of before was given files: ${names.join(', ')}.`, {
    hint: `Give them again, as in { state: 'rebuild', files: { '${names[0]}': … } }, or take state: 'fresh'.`,
  })
}
