import { appendFile } from 'node:fs/promises'
import {
  CodeActError,
  type CodeActEvent,
  type EventBody,
  eventStamp,
  type LanguageModel,
  type ModelEvent,
  type ModelRequest,
  newId,
} from '@codeact/spec'
import { sinceLastReply, toldAsOne } from './conversation.ts'

/** A model that is recorded. */
export interface Recorder extends LanguageModel {
  /** What was said so far: `run-start`, `model-end` and `observation` events, to be played by `replay`. */
  readonly events: readonly CodeActEvent[]
}

/**
 * Records what a model says, and what it is told, in the form that `replay` plays. With a file, each reply is added to its end
 * as it comes, in whole lines. Only messages are recorded: no request, no header, no key. One conversation to a recording.
 * A file that cannot be written throws `RECORDING_UNWRITABLE`.
 */
export function record(model: LanguageModel, file?: string): Recorder {
  const events: CodeActEvent[] = []
  const stamp = eventStamp(newId('recording'))
  return {
    id: model.id,
    events,
    async *stream(request: ModelRequest) {
      for await (const event of model.stream(request)) {
        // Noted when the reply is whole: a call that fails and is made again must not be heard twice.
        if (event.type === 'end') {
          const noted = bodies(model, request, event).map(stamp)
          events.push(...noted)
          if (file !== undefined) await append(file, noted)
        }
        yield event
      }
    },
  }
}

function bodies(
  model: LanguageModel,
  { messages }: ModelRequest,
  { message, finish, usage }: Extract<ModelEvent, { type: 'end' }>,
): EventBody[] {
  const { tasks, observations } = sinceLastReply(messages)
  const text = toldAsOne(observations)
  const unseen = { model: model.id, parser: 'unknown', executor: 'unknown' }
  return [
    ...(text === undefined
      ? []
      : [{ type: 'observation' as const, id: newId('observation'), observation: { text, images: [] } }]),
    ...tasks.map((task) => ({ type: 'run-start' as const, id: newId('run'), task, ...unseen })),
    { type: 'model-end', id: newId('model'), message, finish, usage },
  ]
}

async function append(file: string, events: readonly CodeActEvent[]): Promise<void> {
  try {
    await appendFile(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''))
  } catch (cause) {
    throw new CodeActError('RECORDING_UNWRITABLE', `The recording ${file} cannot be written.`, {
      hint: 'Make its folder, or record to another file.',
      cause,
    })
  }
}
