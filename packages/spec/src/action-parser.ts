import type { Action, AnswerAction, CodeAction, InvalidAction, ToolAction } from './action.ts'
import type { JsonSchema } from './json.ts'
import type { Finish, ModelEvent } from './language-model.ts'
import type { Message } from './message.ts'
import type { Observation } from './observation.ts'
import type { Tool } from './tool.ts'

/** What reads: it tells the model how to write actions, and finds them in what the model writes. */
export interface ActionParser {
  readonly name: string
  /** The part of the system prompt that says how to write code. */
  instructions(context: PromptContext): string
  /** The part that says how to end a task. Absent where `instructions` say that, too. */
  finishing?(context: PromptContext): string
  /** Native tools through which the model may act, for parsers that read those. */
  tools?(context: PromptContext): readonly ToolDeclaration[]
  /** Stop sequences to hint to the model; empty when every block of a reply is to run. */
  readonly stop: readonly string[]
  /**
   * What becomes of a reply of which a reader has `enough`. `cut`: the stream ends there, and no more tokens are paid for; a
   * vendor that counts at the end only leaves the usage partial. `drain`: it is heard to its end, for the count. Default `cut`.
   */
  readonly rest?: 'cut' | 'drain'
  /**
   * True where every reply is code, so that none can be an answer: that is what the first code printed which succeeded. An
   * agent's stop rules go by it, unless it is given others.
   */
  readonly isOneShot?: boolean
  /** A fresh reader for one reply. `context` is that of the prompt; a parser of native calls has defaults without it. */
  start(context?: PromptContext): ActionReader
  /** How an observation goes back to the model: as a user message, or as the answer to a tool call. */
  reply(action: Exclude<Action, AnswerAction>, observation: Observation): Message
}

/** Gives the parser that suits a model, or a sandbox. */
export type ParserPicker = (context: PromptContext) => ActionParser

/**
 * Reads one reply as it streams. However the input is cut into pieces, the joined events and the actions are the same.
 * Each character of the reply's text is text, code, or part of a delimiter; or it comes after there was `enough`.
 */
export interface ActionReader {
  /** Text, or a model event (of which readers of text take `text-delta`, and never `reasoning-delta`). */
  feed(input: string | ModelEvent): readonly ActionEvent[]
  /** No more input; says what was still open. */
  end(finish?: Finish): readonly ActionEvent[]
  /** After `end`: the closing delimiter that a stop sequence ate, to be put back into the history; else empty. */
  readonly missing: string
  /**
   * Set once no more of the reply is wanted: how many characters of its text belong to it. What follows is neither text nor
   * code, and is not kept.
   */
  readonly enough: number | undefined
}

export type ActionEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'code-start'; readonly id: string; readonly language: string }
  | { readonly type: 'code-delta'; readonly id: string; readonly text: string }
  /** Invalid when the tool call that carried the code turned out not to be readable. */
  | { readonly type: 'code-end'; readonly id: string; readonly action: CodeAction | InvalidAction }
  | { readonly type: 'action'; readonly action: ToolAction | AnswerAction | InvalidAction }

/** What a prompt may speak of: who reads it, what the sandbox runs, and what the code may call. */
export interface PromptContext {
  /** Canonical names of the languages that the sandbox runs, the default first. */
  readonly languages: readonly string[]
  readonly tools: readonly Tool[]
  /** The `id` of the model; absent where that is not known. */
  readonly model?: string
}

/** A native tool, as vendors declare them. */
export interface ToolDeclaration {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

/** The actions of a reply, in order, out of its events. */
export function actionsOf(events: Iterable<ActionEvent>): Action[] {
  const actions: Action[] = []
  for (const event of events) {
    if (event.type === 'code-end' || event.type === 'action') actions.push(event.action)
  }
  return actions
}
