import { CodeActError } from '@codeact/spec'
import { type Since, toldAsOne } from './conversation.ts'
import type { Recording, Turn } from './recording.ts'

/** Throws `REPLAY_MISMATCH` where what really happened is not what the recorded reply, which comes next, goes by. */
export function checkAgreement({ name, turns }: Recording, since: Since): void {
  const turn = turns[since.replies]
  if (turn === undefined) return
  const [task, gotTask] = [turn.tasks.join('\n'), since.tasks.join('\n')]
  if (task !== gotTask) {
    const what = task === '' ? 'is not at the end of its task, and was given another one' : 'is of another task'
    throw mismatch(`${name} ${what}`, ANOTHER_TASK, task, gotTask)
  }
  const [seen, got] = [turn.observations, since.observations].map((texts) => toldAsOne(texts) ?? '')
  if (comparable(seen ?? '') === comparable(got ?? '')) return
  throw mismatch(
    `${name} does not agree with what really happened${whereOf(turns[since.replies - 1])}`,
    HINT,
    seen,
    got,
  )
}

const HINT =
  'If its code was changed on purpose, correct what it says the code gave, too; if not, the code gave something else this time.'
const ANOTHER_TASK =
  'Give the tasks as they were recorded, in their order and word for word, or take another recording.'

function mismatch(what: string, hint: string, expected = '', got = ''): CodeActError {
  const shown = `  recorded: ${shorten(expected)}\n  got:      ${shorten(got)}`
  return new CodeActError('REPLAY_MISMATCH', `The recording ${what}.\n${shown}`, { hint })
}

function whereOf(turn: Turn | undefined): string {
  return turn === undefined ? '' : `, in step ${turn.step} of the task ${JSON.stringify(turn.task)}`
}

const TRACEBACK = /^(Traceback \(most recent call last\):\n)(?:[ \t].*\n)+(?=\S)/gm

/** Versions of Python tell differently where an error happened; what it was, and all else, must be the same. */
function comparable(observation: string): string {
  return observation.replaceAll(TRACEBACK, '$1')
}

const LONGEST = 1500

/** On the lines below the first one, indented as far as its label. */
function shorten(text: string): string {
  if (text === '') return '(nothing)'
  const cut = text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}[… ${text.length - LONGEST} characters more]`
  return cut.replaceAll('\n', '\n            ')
}
