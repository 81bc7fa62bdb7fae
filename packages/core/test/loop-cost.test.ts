import type { Executor, LanguageModel, Message, ModelEvent, ModelRequest, Sandbox } from '@codeact/spec'
import { type Execution, Run } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { Agent, dropOldObservations } from '../src/index.ts'
import { scriptedParts } from './support.ts'

const STEPS = 1000

/** Answers behind a thousand blocks of code, and looks at its requests as they are. */
class Tireless implements LanguageModel {
  readonly id = 'test:tireless'
  readonly lists = new Set<readonly Message[]>()
  requests = 0

  async *stream({ messages }: ModelRequest): AsyncGenerator<ModelEvent> {
    this.lists.add(messages)
    this.requests += 1
    const text = this.requests > STEPS ? 'ok' : `<execute>\n${this.requests}\n</execute>`
    yield { type: 'text-delta', text }
    const message = { role: 'assistant', content: [{ type: 'text', text }] } as const
    yield { type: 'end', message, finish: 'stop', usage: { inputTokens: 1, outputTokens: 1 } }
  }
}

const done: Execution = { status: 'ok', stdout: '', stderr: '', displays: [], state: 'kept', durationMs: 0 }

/** What runs nothing, so that the loop is all that works. */
function idle(): Executor {
  const close = async (): Promise<void> => {}
  const execute = (code: string) => new Run(async () => ({ ...done, stdout: code }))
  const sandbox = { execute, close, files: { write: close } } as unknown as Sandbox
  return { name: 'idle', languages: ['python'], open: async () => sandbox, close, [Symbol.asyncDispose]: close }
}

describe('over a thousand steps the loop', () => {
  it('copies no transcript, and counts each message once', async () => {
    const model = new Tireless()
    let counted = 0
    const countTokens = (text: string): number => {
      counted += text.length
      return 1
    }
    const limits = { steps: STEPS + 1 }
    const memory = dropOldObservations({ over: 1e9 })
    const parts = { ...scriptedParts([]), model, executor: idle() }
    const session = await new Agent({ ...parts, limits, memory, countTokens }).session()
    const { steps, stop } = await session.run('x')
    expect({ steps: steps.length, stop }).toEqual({ steps: STEPS + 1, stop: 'answer' })
    expect(model.lists.size).toBe(1)
    const all = session.messages.slice(0, -1).map(({ content }) => content)
    const length = all.map((content) => (typeof content === 'string' ? content : content.map(textOf).join('')).length)
    expect(counted).toBe(length.reduce((sum, one) => sum + one, 0))
  })
})

function textOf(part: { readonly type: string; readonly text?: string }): string {
  return part.text ?? ''
}
