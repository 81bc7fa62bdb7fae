import type { Action } from '@codeact/spec'
import type { Reply } from './ask-model.ts'

const GO_ON =
  'Your reply ran out of tokens inside a code block, so that block was not run yet. Go on with the very next character, and open no block: what you write is joined to it, and then it is run. Or open a block and write all of it anew, shorter or in parts.'
const CUT_IN_CODE =
  'Your reply ran out of tokens inside a code block, so that block was not run. Write it again, shorter or in parts.'
const CUT_IN_TEXT = 'Your reply ran out of tokens. Go on where it stopped.'
const NOTHING = 'Your reply was empty. Write code, or give the answer.'
const NO_CODE =
  'Your reply holds no code, and it does not end the task. Write code, or give the answer as you were told to.'

export const CUT_IN_CALL =
  'Your reply was cut off inside this call, so its code was not run. Write it again, shorter or in several calls: what ran before is still there.'

export const CIRCLING =
  'You have done the same several times now, and the same came of it. Doing it once more ends the task: try something else, or give the answer that you have.'

/**
 * What the model must be told besides what its code gave.
 *
 * @param miss why its answer was not taken
 */
export function notesFor({ finish, actions, text }: Reply, mayGoOn: boolean, miss: string | undefined): string[] {
  if (miss !== undefined) return [miss]
  if (finish === 'pause' || endsInCall(actions)) return []
  if (finish !== 'length') return actions.length > 0 ? [] : [text.trim() === '' ? NOTHING : NO_CODE]
  if (mayGoOn) return [GO_ON]
  return [actions.some((action) => action.type === 'code' && !action.closed) ? CUT_IN_CODE : CUT_IN_TEXT]
}

/** Then what there is to say is the result of that call. */
function endsInCall(actions: readonly Action[]): boolean {
  const last = actions.at(-1)
  return last !== undefined && last.type !== 'answer' && last.callId !== undefined
}
