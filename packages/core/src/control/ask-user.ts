import type { Tool } from '@codeact/spec'
import { tool } from '../tools/tool.ts'

/** Answers a question that code asks. `signal` aborts when nobody waits for the answer any more. */
export type OnAskUser = (question: string, context: { readonly signal: AbortSignal }) => string | Promise<string>

const QUESTION = { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] } as const

/** The tool `ask_user`: code waits for the answer, and its clock stands still meanwhile. */
export function askUser(onAskUser: OnAskUser): Tool {
  return tool({
    name: 'ask_user',
    description: 'Asks the user a question, waits, and gives the answer. For what only the user can know or decide.',
    parameters: QUESTION,
    returns: { type: 'string' },
    pausesClock: true,
    execute: ({ question }, { signal }) => onAskUser(question, { signal }),
  })
}
