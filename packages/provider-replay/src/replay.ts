import { CodeActError, type CodeActEvent, type LanguageModel, type ModelRequest } from '@codeact/spec'
import { checkAgreement } from './agreement.ts'
import { sinceLastReply } from './conversation.ts'
import { play } from './play.ts'
import { readRecording } from './read-recording.ts'

export interface ReplayOptions {
  /** Milliseconds before each piece of text, to watch it as if a model were speaking. Default 0. */
  readonly delayMs?: number
}

/**
 * A model that plays a recording: an event log, as a file of JSON lines or as the events. Its code really runs, so before
 * each reply it is checked that the code gave what the recording says it gave; a difference throws `REPLAY_MISMATCH`.
 *
 * Each conversation plays the recording from its start, also several at once. A recording that is used up throws
 * `REPLAY_EXHAUSTED`; one that cannot be read throws `RECORDING_INVALID` here.
 */
export function replay(recording: string | readonly CodeActEvent[], options: ReplayOptions = {}): LanguageModel {
  const read = readRecording(recording)
  return {
    id: `replay:${read.name}`,
    async *stream({ messages, signal }: ModelRequest) {
      const since = sinceLastReply(messages)
      checkAgreement(read, since)
      const turn = read.turns[since.replies]
      if (turn === undefined) throw usedUp(read.name, read.turns.length)
      yield* play(turn.reply, options.delayMs, signal)
    },
  }
}

function usedUp(name: string, replies: number): CodeActError {
  const count = replies === 1 ? 'its one reply has' : `its ${replies} replies have`
  return new CodeActError('REPLAY_EXHAUSTED', `The recording ${name} is used up: ${count} been played.`, {
    hint: 'A new session plays it from its start; to go on from here takes a model that can, such as openai:gpt-5.',
  })
}
