import type { CellEvent, ExecuteOptions, Execution, OpenOptions, Sandbox } from '@codeact/spec'
import { expect } from 'vitest'
import type { SuiteOptions } from '../describe-executor.ts'
import type { Subject } from '../executor/subject.ts'
import type { Bait } from './bait.ts'
import type { Step } from './fault.ts'

const TIMEOUT_MS = 10_000
/** A cell is settled within a second of its limit; the rest is for a machine that does other things as well. */
const SLACK_MS = 1000 + 1500

/** One case under way: its sandbox, and what every cell of it has to keep. */
export class Trial {
  readonly sandbox: Sandbox
  readonly bait: Bait
  readonly #subject: Subject
  readonly #keepsState: boolean

  private constructor(subject: Subject, sandbox: Sandbox, bait: Bait, keepsState: boolean) {
    this.#keepsState = keepsState
    this.#subject = subject
    this.sandbox = sandbox
    this.bait = bait
  }

  /** `keepsState`: whether state has to survive a crash where the sandbox says that it does. */
  static async open(subject: Subject, bait: Bait, keepsState: boolean): Promise<Trial> {
    return new Trial(subject, await subject.open({}, { tools: bait.tools() }), bait, keepsState)
  }

  /** Another sandbox beside it, closed with the case. */
  open(options: SuiteOptions = {}, open: OpenOptions = {}): Promise<Sandbox> {
    return this.#subject.open(options, open)
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const { code, timeoutMs, expect: outcome } of steps) {
      expect(await this.execute(code, { timeoutMs }), code.slice(0, 2000)).toMatchObject(outcome)
    }
  }

  /** Runs a cell, and holds it to its deadline, to the grammar of events, and to secrecy. */
  async execute(code: string, options: ExecuteOptions = {}): Promise<Execution> {
    const timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    const run = this.sandbox.execute(code, { ...options, language: 'python', timeoutMs })
    const events: CellEvent[] = []
    let startedAt = Date.now()
    for await (const event of run) {
      if (event.type === 'execution-start') startedAt = Date.now()
      events.push(event)
    }
    const execution = await run
    expect(Date.now() - startedAt, 'milliseconds until the cell was settled').toBeLessThan(timeoutMs + SLACK_MS)
    this.#isWellTold(execution, events)
    return execution
  }

  async evaluate(code: string): Promise<string | undefined> {
    const { value, error } = await this.execute(code)
    return value?.['text/plain'] ?? error?.traceback
  }

  #isWellTold(execution: Execution, events: readonly CellEvent[]): void {
    expect(['ok', 'error', 'timeout', 'aborted', 'crashed']).toContain(execution.status)
    if (execution.status !== 'ok') expect(execution.error?.traceback, 'a failure says what happened').toBeTruthy()
    const survives = this.sandbox.capabilities.languages.find(({ language }) => language === 'python')?.checkpoint
    if (execution.status === 'crashed' && this.#keepsState) {
      expect(execution.state, 'what becomes of state').toBe(survives === true ? 'rolled-back' : 'lost')
    }
    expect(execution.rollback !== undefined, 'a roll-back is told').toBe(execution.state === 'rolled-back')
    const ends = events.filter(({ type }) => type === 'execution-end')
    expect([events[0]?.type, ends.length, events.at(-1)?.type]).toEqual(['execution-start', 1, 'execution-end'])
    for (const told of [execution, ...events]) {
      if (JSON.stringify(told).includes(this.bait.secret)) expect.fail('a secret of the host came out of the sandbox')
    }
  }
}
