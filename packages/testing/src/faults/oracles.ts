import type { Executor, Sandbox } from '@codeact/spec'
import { afterAll, expect, it, type TestContext } from 'vitest'
import type { SuiteOptions } from '../describe-executor.ts'
import { evaluate, type Subject, skipWhereExcepted, skipWithoutPython } from '../executor/subject.ts'
import type { Requirement } from '../requirement.ts'
import { Bait } from './bait.ts'
import { type Fault, type FaultCase, isData } from './fault.ts'
import { type HostLeniency, HostWatch } from './host-watch.ts'
import { Trial } from './trial.ts'

/** What is left on the machine of this executor's sandboxes: processes, folders, containers, by any name that says what. */
export type Leftovers = () => Promise<readonly string[]>

const CASE_MS = 60_000
const SLOW_CASE_MS = 180_000
const GONE_MS = 5000

/** Runs cases, and after each asks the same questions of the host, of the sandbox and of those beside it. */
export class Oracles {
  readonly #subject: Subject
  readonly #sibling: Sibling
  readonly #leftovers: Leftovers
  readonly #leniency: HostLeniency | undefined

  constructor(
    subject: Subject,
    create: (options: SuiteOptions) => Executor,
    leftovers: Leftovers = async () => [],
    leniency?: HostLeniency,
  ) {
    this.#leniency = leniency
    this.#subject = subject
    this.#sibling = new Sibling(create)
    this.#leftovers = leftovers
  }

  case(fault: Fault | FaultCase, slow?: Requirement): void {
    const { promise, title, calls = 0, isSlow = false } = fault
    const skip = isSlow && slow?.isMet === false ? ` (skipped: ${slow.reason})` : ''
    const name = `${promise} > ${title}${isSlow ? ' (slow)' : ''}${skip}`
    it.skipIf(skip !== '')(name, { timeout: isSlow ? SLOW_CASE_MS : CASE_MS }, (test) =>
      this.#watched(test, fault, async (trial) => {
        await (isData(fault) ? trial.play([fault, ...(fault.next ?? [])]) : fault.run(trial))
        expect(trial.bait.calls, 'calls of the tool canary').toBe(calls)
      }),
    )
  }

  async #watched(
    test: TestContext,
    { promise, mostDelayMs, mayLoseState = promise.startsWith('limits.') }: Fault | FaultCase,
    run: (trial: Trial) => Promise<void>,
  ): Promise<void> {
    const bait = new Bait()
    try {
      await this.#sibling.open()
      const before = new Set(await this.#leftovers())
      // Where all there is was used up there may have been nothing left to keep state with.
      const trial = await Trial.open(this.#subject, bait, !mayLoseState)
      skipWithoutPython(test, trial.sandbox.capabilities.languages[0]?.language)
      skipWhereExcepted(test, trial.sandbox, promise)
      await this.#whileHostIsWell(() => firstFailure([run(trial), this.#sibling.answers()]), mostDelayMs)
      await worksOrSaysSo(trial)
      await this.#subject.closeAll()
      await expect
        .poll(async () => (await this.#leftovers()).filter((one) => !before.has(one)), { timeout: GONE_MS })
        .toEqual([])
    } finally {
      bait.remove()
    }
  }

  async #whileHostIsWell(work: () => Promise<unknown>, mostDelayMs: number | undefined): Promise<void> {
    const watch = new HostWatch(mostDelayMs, this.#leniency)
    try {
      await work()
      watch.check()
    } finally {
      watch.stop()
    }
  }
}

/** Waits for all, so that nothing of a case goes on behind its back; the failure of the first in the list counts most. */
async function firstFailure(work: readonly Promise<unknown>[]): Promise<void> {
  for (const end of await Promise.allSettled(work)) if (end.status === 'rejected') throw end.reason
}

/** A sandbox of the same kind that lives beside all the cases, with a state of its own. */
class Sibling {
  readonly #create: (options: SuiteOptions) => Executor
  #executor: Executor | undefined
  #sandbox: Promise<Sandbox> | undefined
  #count = 0

  constructor(create: (options: SuiteOptions) => Executor) {
    this.#create = create
    afterAll(() => this.#executor?.close())
  }

  open(): Promise<Sandbox> {
    this.#sandbox ??= this.#open()
    return this.#sandbox
  }

  async answers(): Promise<void> {
    const sandbox = await this.open()
    this.#count += 1
    const answer = await sandbox.execute('n += 1\nn', { language: 'python', timeoutMs: 10_000 })
    expect(answer.value?.['text/plain'], 'a sandbox beside it still answers').toBe(String(this.#count))
  }

  async #open(): Promise<Sandbox> {
    this.#executor = this.#create({})
    const sandbox = await this.#executor.open()
    await sandbox.execute('n = 0', { language: 'python' })
    return sandbox
  }
}

/** One write, which a thread that goes on printing cannot tear apart. */
const WELL = 'print("well\\n", end="")\n6 * 7'

/** The sandbox runs the next cell, or says that it cannot; then a new one works, and the cell after that in this one. */
async function worksOrSaysSo(trial: Trial): Promise<void> {
  const next = await trial.execute(WELL)
  if (next.status === 'crashed') {
    expect(next.error?.name).toBe('Crashed')
    expect(await evaluate(await trial.open(), '40 + 2'), 'a new sandbox works').toBe('42')
  }
  const { value, stdout } = next.status === 'crashed' ? await trial.execute(WELL) : next
  expect(value, 'the sandbox itself works on').toEqual({ 'text/plain': '42' })
  expect(stdout).toMatch(/well\n/)
}
