import { Agent, type AgentOptions } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { type ToolCallOptions, toolCall } from '@codeact/parsers'
import { type ScriptedReply, scripted } from '@codeact/provider-replay'
import type { AssistantMessage, CodeActEvent, Finish, Message, RunResult, ToolMessage } from '@codeact/spec'
import { expect } from 'vitest'
import { add } from './support.ts'

export type Call = readonly [name: string, input: object | string]

export const code = (text: string): Call => ['execute_code', { code: text }]

let calls = 0
/** A reply that says something and calls tools; a call's input may be given as the model wrote it. */
export function reply(text: string, all: readonly Call[], finish: Finish = 'tool-calls'): ScriptedReply {
  const parts = all.map(([name, input]) => {
    const json = typeof input === 'string' ? input : JSON.stringify(input)
    return { type: 'tool-call' as const, callId: `call_${++calls}`, name, json }
  })
  const content: AssistantMessage['content'] = text === '' ? parts : [{ type: 'text', text }, ...parts]
  return { message: { role: 'assistant', content }, finish }
}

interface Options extends Partial<AgentOptions> {
  readonly direct?: ToolCallOptions['direct']
}

export function agentOf(replies: readonly ScriptedReply[], { direct, ...options }: Options = {}): Agent {
  const executor = local({ isolation: 'none', timeoutMs: 5000 })
  return new Agent({ model: scripted(replies), parser: toolCall({ direct }), executor, tools: [add], ...options })
}

/** Runs the tasks in one session; each transcript is one that vendors accept. */
export async function run(replies: readonly ScriptedReply[], options: Options = {}, tasks: readonly string[] = ['x']) {
  await using session = await agentOf(replies, options).session()
  const events: CodeActEvent[] = []
  const results: RunResult[] = []
  for (const task of tasks) {
    const running = session.run(task)
    for await (const event of running) events.push(event)
    results.push(await running)
  }
  checkAnswered(session.messages)
  const told = session.messages.filter((message) => message.role === 'tool')
  return {
    results,
    result: results[0],
    events,
    messages: session.messages,
    told: told.map(textOf),
    isError: told.map((one) => one.isError ?? false),
  }
}

function textOf({ content }: ToolMessage): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('')
}

/** Each call has one result, right behind its reply, in order. */
export function checkAnswered(messages: readonly Message[]): void {
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    const open = message.content.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
    const results = messages.slice(index + 1, index + 1 + open.length)
    if (index < messages.length - 1) expect(results.map((one) => one.role === 'tool' && one.callId)).toEqual(open)
  }
  const results = messages.filter(({ role }) => role === 'tool')
  const all = messages.flatMap((message) => (message.role === 'assistant' ? message.content : []))
  expect(results.length).toBeLessThanOrEqual(all.filter(({ type }) => type === 'tool-call').length)
}
