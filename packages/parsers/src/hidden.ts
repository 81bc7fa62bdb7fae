import type { InvalidAction } from '@codeact/spec'

/** What the model is told where reasoning or prose that was never closed may hide code. `closing`: what is missing. */
export function hidden(closing: string): InvalidAction {
  const reason = `Nothing of the reply was run from where ${closing} is missing. Close what you open, and write code that is to run behind it.`
  return { type: 'invalid', reason, text: '' }
}
