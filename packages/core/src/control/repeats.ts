import type { Action, Execution } from '@codeact/spec'

/** Steps that are looked back upon. */
const WINDOW = 12

/** Notices a run that goes in circles: the same code, and the same came of it. */
export class Repeats {
  readonly #limit: number
  readonly #recent: string[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Notes a step. `circling` once it is the last time that may be, `stuck` behind that.
   *
   * @param told what the model is told of it
   */
  note(actions: readonly Action[], text: string, executions: readonly Execution[], told: string): RepeatState {
    if (this.#limit === Infinity) return 'fine'
    const sign = JSON.stringify([done(actions, text), executions.length > 0 ? executions.map(cameOf) : told])
    const times = this.#recent.filter((one) => one === sign).length + 1
    this.#recent.push(sign)
    if (this.#recent.length > Math.max(WINDOW, 2 * this.#limit)) this.#recent.shift()
    if (times > this.#limit) return 'stuck'
    return times === this.#limit ? 'circling' : 'fine'
  }
}

export type RepeatState = 'fine' | 'circling' | 'stuck'

function done(actions: readonly Action[], text: string): string[] {
  const codes = actions.flatMap((action) => {
    if (action.type === 'tool') return [`${action.name} ${JSON.stringify(action.input)}`]
    return action.type === 'code' ? [normalised(action.code)] : []
  })
  return codes.length > 0 ? codes : [normalised(text)]
}

/** Blank lines, and blanks at the ends of lines, make no difference. */
function normalised(code: string): string {
  return code
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')
    .trim()
}

/** Where an object lies, and in which cell a line stands, differs each time. */
function cameOf({ status, stdout, stderr, value, error }: Execution): unknown[] {
  const told = [stdout, stderr, value?.['text/plain'] ?? '', error?.name ?? '', error?.message ?? '']
  return [status, ...told.map((one) => one.replace(/\b0x[0-9a-f]{6,}\b/gi, '0x'))]
}
