import type { Finish, ModelEvent, PromptContext, Tool } from '@codeact/spec'
import type { toolCall } from '../../src/tool-call.ts'
import { type Reading, reading } from './read.ts'

/** A call of a reply, with its arguments as the model wrote them. */
export interface WrittenCall {
  readonly name?: string
  readonly json: string
}

export interface Streaming {
  /** How many characters come at a time. Default: all. */
  readonly size?: number
  /** When calls end: each behind its last character, or all behind the reply. Default `each`. */
  readonly ends?: 'each' | 'all'
}

/** The calls of one reply as a model streams them; the callId of the first is `call 0`. */
export function streamed(
  calls: readonly WrittenCall[],
  { size = Infinity, ends = 'each' }: Streaming = {},
): ModelEvent[] {
  const ended = calls.map((_, index): ModelEvent => ({ type: 'tool-call-end', callId: `call ${index}` }))
  const events = calls.flatMap(({ name = 'execute_code', json }, index): ModelEvent[] => {
    const callId = `call ${index}`
    const pieces = slices(json, size).map((piece) => ({ type: 'tool-call-delta', callId, json: piece }) as const)
    const end = ends === 'each' ? ended.slice(index, index + 1) : []
    return [{ type: 'tool-call-start', callId, name }, ...pieces, ...end]
  })
  return ends === 'each' ? events : [...events, ...ended]
}

function slices(text: string, size: number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size))
  return pieces
}

const PYTHON: PromptContext = { languages: ['python'], tools: [] }
export const SEVERAL: PromptContext = { languages: ['python', 'javascript', 'bash'], tools: [] }

export function named(name: string): Tool {
  const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }
  const parameters = { jsonSchema: schema, validate: (value: unknown) => ({ ok: true as const, value }) }
  return { name, description: `Does ${name}.`, parameters, execute: () => null }
}
export const TOOLS: PromptContext = { languages: ['python'], tools: [named('add'), named('send')] }

/** What the parser makes of a reply with these calls. */
export function readCalls(
  parser: ReturnType<typeof toolCall>,
  calls: readonly WrittenCall[],
  { context = PYTHON, finish = 'tool-calls', ...how }: Streaming & { context?: PromptContext; finish?: Finish } = {},
): Reading {
  return reading(parser.start(context), streamed(calls, how), finish)
}
