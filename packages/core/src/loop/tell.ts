import { joinObservations, type Message, newId, type Observation, type Step } from '@codeact/spec'
import type { LoopContext } from './context.ts'
import type { Scope } from './scope.ts'
import { noteMessage } from './transcript.ts'

/** Something that the model is told, and the same for whoever watches. */
export interface Told {
  readonly message: Message
  readonly observation: Observation
}

/** Something for the model to know that no code printed. */
export function note(text: string): Told {
  return { message: noteMessage(text), observation: { text, images: [] } }
}

/** True for the result of a native tool call. */
export function isResult({ message }: Told): boolean {
  return message.role === 'tool'
}

/** Notes what the model is told, and tells whoever watches. Vendors want results right behind the reply that called. */
export function tell(context: LoopContext, all: readonly Told[], step: Step, scope: Scope, id: string): Step {
  const told = [...all.filter(isResult), ...all.filter((one) => !isResult(one))]
  const messages = told.map(({ message }) => message)
  for (const message of messages) context.transcript.push(message)
  const observation = joinObservations(told.map((one) => one.observation))
  if (observation === undefined) return step
  scope.emit({ type: 'observation', id: newId('observation'), parent: id, observation, messages })
  return { ...step, observation }
}
