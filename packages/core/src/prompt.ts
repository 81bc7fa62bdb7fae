import type { ActionParser, PromptContext } from '@codeact/spec'
import { pythonSignature } from './tools/python-signature.ts'

const ROLE = `You solve tasks by writing code. The code runs in a sandbox, and what it gives is shown to you: the output of the
code is the only way to know what happened, so look at it before you answer. Never make up a result.`

/** The system prompt: who the model is, how it writes code, what the code may call, and what the user added. */
export function systemPrompt(parser: ActionParser, context: PromptContext, instructions?: string): string {
  return [ROLE, parser.instructions(context), toolsPart(context), instructions].filter(Boolean).join('\n\n')
}

function toolsPart({ tools }: PromptContext): string {
  if (tools.length === 0) return ''
  const signatures = tools.map(pythonSignature).join('\n\n')
  return `These functions are there already; call them from your code, do not define or import them:\n\n${signatures}`
}
