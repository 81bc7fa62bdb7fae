import type { ActionParser, PromptContext } from '@codeact/spec'
import { pythonSignature } from './tools/python-signature.ts'

/** What the system prompt is made of. A part that does not apply is empty. */
export interface PromptParts {
  /** Who the model is, and that it must not make up results. */
  readonly role: string
  /** How it writes code, and what becomes of it: the parser's, which reads no other form. */
  readonly acting: string
  /** What its code may call. */
  readonly tools: string
  /** How it ends the task: the parser's, or by `final_answer`. */
  readonly finishing: string
  /** The option `instructions`. */
  readonly instructions: string
}

const ROLE = `You solve tasks by writing code. The code runs in a sandbox, and what it gives is shown to you: the output of the
code is the only way to know what happened, so look at it before you answer. Never make up a result.`

export function promptParts(parser: ActionParser, context: PromptContext, instructions = ''): PromptParts {
  const finishing = parser.finishing?.(context) ?? ''
  return { role: ROLE, acting: parser.instructions(context), tools: toolsPart(context), finishing, instructions }
}

/** The parts in their order, where nobody puts them together otherwise. */
export function joinParts({ role, acting, tools, finishing, instructions }: PromptParts): string {
  return [role, acting, tools, finishing, instructions].filter((part) => part !== '').join('\n\n')
}

function toolsPart({ tools }: PromptContext): string {
  if (tools.length === 0) return ''
  const signatures = tools.map(pythonSignature).join('\n\n')
  return `These functions are there already; call them from your code, do not define or import them:\n\n${signatures}`
}
