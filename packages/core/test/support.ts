import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Agent, type AgentOptions, tool } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { requirement } from '@codeact/testing'
import { type Reply, ScriptedModel } from './scripted-model.ts'

export const python = await requirement('python', () => promisify(execFile)('python3', ['--version']))

export const code = (text: string): string => `<execute>\n${text}\n</execute>`

/** An agent whose model follows a script, over a real interpreter. */
export function scriptedAgent(replies: readonly Reply[], options: Partial<AgentOptions> = {}) {
  const model = new ScriptedModel(...replies)
  const executor = local({ isolation: 'none', timeoutMs: 5000 })
  return { model, agent: new Agent({ model, parser: xml(), executor, ...options }) }
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
