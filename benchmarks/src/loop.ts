import { Agent } from '@codeact/core'
import { xml } from '@codeact/parsers'
import {
  type CodeActEvent,
  type Execution,
  type Executor,
  type LanguageModel,
  type ModelEvent,
  Run,
  type Sandbox,
} from '@codeact/spec'
import { type Row, row } from './row.ts'

const STEPS = 1000
const WINDOW = 100
const BUDGET_MICROS = 1000

/** One step of the loop, with a model and a sandbox that take no time, at the end of a long run; the floor is the budget. */
export async function loopStep(quick: boolean): Promise<Row> {
  const { last } = await stepTimes(quick)
  return row('loop: a step of its own, µs', last, [BUDGET_MICROS], 1)
}

/** The last hundred steps of a thousand, beside the second hundred: the history makes no difference. */
export async function loopFlat(quick: boolean): Promise<Row> {
  const { first, last } = await stepTimes(quick)
  return row('loop: step 1,000 beside step 100, µs', last, first, 1.5)
}

async function stepTimes(quick: boolean): Promise<{ readonly first: number[]; readonly last: number[] }> {
  const first: number[] = []
  const last: number[] = []
  for (let round = 0; round < (quick ? 4 : 12); round++) {
    const starts = await oneRun()
    const times = starts.slice(1).map((at, index) => (at - (starts[index] ?? at)) * 1000)
    // The first run is the compiler's.
    if (round === 0) continue
    first.push(...times.slice(WINDOW, 2 * WINDOW))
    last.push(...times.slice(STEPS - WINDOW, STEPS))
  }
  return { first, last }
}

/** When each request came, in milliseconds. */
async function oneRun(): Promise<readonly number[]> {
  const starts: number[] = []
  const agent = new Agent({
    model: model(starts),
    parser: xml(),
    executor: idle(),
    limits: { steps: STEPS + 1 },
  })
  const { stop } = await agent.run('Count.')
  if (stop !== 'answer') throw new Error(`the run ended with ${stop}`)
  return starts
}

function model(starts: number[]): LanguageModel {
  return {
    id: 'benchmark',
    async *stream(): AsyncGenerator<ModelEvent> {
      starts.push(performance.now())
      const text = starts.length > STEPS ? 'Counted.' : `<execute>\n${starts.length}\n</execute>`
      yield { type: 'text-delta', text }
      const message = { role: 'assistant', content: [{ type: 'text', text }] } as const
      yield { type: 'end', message, finish: 'stop', usage: { inputTokens: 1, outputTokens: 1 } }
    },
  }
}

const DONE: Execution = { status: 'ok', stdout: '', stderr: '', displays: [], state: 'kept', durationMs: 0 }

function idle(): Executor {
  const close = async (): Promise<void> => {}
  const execute = (code: string): Run<CodeActEvent, Execution> => new Run(async () => ({ ...DONE, stdout: code }))
  const sandbox = { execute, close } as unknown as Sandbox
  return { name: 'idle', languages: ['python'], open: async () => sandbox, close, [Symbol.asyncDispose]: close }
}
