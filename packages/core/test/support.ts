import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Agent, type AgentOptions, tool } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import type { CodeActEvent } from '@codeact/spec'
import { requirement } from '@codeact/testing'
import { type Reply, ScriptedModel } from './scripted-model.ts'

export const python = await requirement('python', () => promisify(execFile)('python3', ['--version']))

export const code = (text: string): string => `<execute>\n${text}\n</execute>`

/** A model that follows a script, a parser, and a real interpreter. */
export function scriptedParts(replies: readonly Reply[]) {
  return {
    model: new ScriptedModel(...replies),
    parser: xml(),
    executor: local({ isolation: 'none', timeoutMs: 5000 }),
  }
}

/** An agent made of these. */
export function scriptedAgent(replies: readonly Reply[], options: Partial<AgentOptions> = {}) {
  const parts = scriptedParts(replies)
  return { model: parts.model, agent: new Agent({ ...parts, ...options }) }
}

export async function eventsOf(run: AsyncIterable<CodeActEvent>): Promise<CodeActEvent[]> {
  const events: CodeActEvent[] = []
  for await (const event of run) events.push(event)
  return events
}

const INTEGERS = {
  type: 'object',
  properties: { a: { type: 'integer' }, b: { type: 'integer' } },
  required: ['a', 'b'],
} as const

export const add = tool({
  name: 'add',
  description: 'Adds two numbers.',
  parameters: INTEGERS,
  returns: { type: 'integer' },
  execute: ({ a, b }) => a + b,
})
