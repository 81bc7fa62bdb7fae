import type { CodeActEvent, Run, RunResult, Schema, Tool } from '@codeact/spec'
import { tool } from '../tools/tool.ts'
import { nestedRun } from './nested-run.ts'

/** How an agent is offered to the code of another one. */
export interface AsToolOptions {
  readonly name: string
  /** What it is good for: the model decides by this. */
  readonly description: string
}

type RunNested = (task: string, options: NestedOptions) => Run<CodeActEvent, RunResult>

interface NestedOptions {
  readonly signal: AbortSignal
  readonly parent: string
}

const TASK = {
  type: 'object',
  properties: { task: { type: 'string', description: 'What is to be done, with all that must be known for it.' } },
  required: ['task'],
} as const

/** An agent as a function of one task. It gives the answer, or its value; a run without an answer is an exception. */
export function asTool(run: RunNested, { name, description }: AsToolOptions, answer: Schema | undefined): Tool {
  const made = tool({
    name,
    description,
    parameters: TASK,
    pausesClock: true,
    execute: async ({ task }, { signal, callId, emit }) => {
      const result = await nestedRun(run(task, { signal, parent: callId }), emit)
      if (result.stop !== 'answer') throw new Unanswered(`${name} ended without an answer (${result.stop})`)
      return answer === undefined ? result.answer : result.value
    },
  })
  return { ...made, returns: answer ?? TEXT }
}

class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

const TEXT: Schema = { jsonSchema: { type: 'string' }, validate: (value) => ({ ok: true, value }) }
