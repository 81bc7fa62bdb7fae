import type { LanguageModel, Tool, Usage } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { bareTool, INTEGER } from './executor/tools.ts'
import { COUNTS, type HeardItem } from './model/dialect.ts'
import { TURNS, type Turn } from './model/four-tasks.ts'
import type { ModelServer } from './model/model-server.ts'
import { type ModelSubject, Subject } from './model/subject.ts'

export interface FourTaskSuite {
  readonly subject: ModelSubject
  /** An agent with these tools and a real sandbox that reads code between `<execute>` and `</execute>`. */
  createAgent(model: LanguageModel, tools: Tool[]): SessionAgent
  /** All of a request's body, as the vendor must receive it when this was said before. `system` is the agent's own. */
  body(before: readonly Turn[], system: string): object
}

/** What is used of an agent. */
export interface SessionAgent {
  session(): Promise<AsyncDisposable & { run(task: string): PromiseLike<{ answer?: unknown; usage: Usage }> }>
}

const THOUGHT = ['Hm.']
const REPLIES = TURNS.filter(({ who }) => who === 'reply')

/** Four tasks of one session, with recorded replies: code runs, its results go back, and each request is right in full. */
export function describeFourTasks({ subject: given, createAgent, body }: FourTaskSuite): void {
  describe(`four tasks: ${given.name}`, () => {
    const subject = new Subject(given)

    it('are done, and each request holds all that was said, and nothing else', { timeout: 90_000 }, async () => {
      const recorded = REPLIES.map(({ text }) => subject.says({ says: [{ reasoning: THOUGHT }, { text: [text] }] }))
      await using server = await subject.serve(...recorded)
      await using session = await createAgent(subject.model(server, { apiKey: 'k' }), TOOLS).session()
      for (const { text } of TURNS.filter(({ who }) => who === 'task')) {
        const { answer, usage } = await session.run(text)
        expect(answer).toBe(REPLIES[server.received.length - 1]?.text)
        expect(usage).toMatchObject({ inputTokens: 2 * COUNTS.input, outputTokens: 2 * COUNTS.output })
        expect(usage.cachedInputTokens).toBe(2 * COUNTS.cached)
      }
      expect(server.received.length).toBe(REPLIES.length)
      for (const [index, reply] of REPLIES.entries()) {
        expectRequest(subject, server, index, TURNS.slice(0, TURNS.indexOf(reply)))
      }
    })
  })

  function expectRequest(
    { dialect }: Subject,
    { received }: ModelServer,
    index: number,
    before: readonly Turn[],
  ): void {
    const request = received[index]
    if (request === undefined) throw new Error(`There was no request ${index}.`)
    const [system, ...said] = dialect.read(request).said
    if (system === undefined || !('role' in system)) throw new Error('The request has no system prompt.')
    expect(system).toEqual({ role: 'system', text: expect.stringContaining('<execute>') })
    expect(said).toEqual(before.flatMap(itemsOf))
    expect(request.body).toEqual(body(before, system.text))
    const first = received[0]
    expect(first && dialect.read(first).said[0]).toEqual(system)
  }

  function itemsOf({ who, text }: Turn): HeardItem[] {
    if (who !== 'reply') return [{ role: 'user', text }]
    const isKept = given.exceptions?.reasoning === undefined
    const thought = isKept ? [{ reasoning: given.dialect.reasoning?.(THOUGHT, 0) }] : []
    return [...thought, { role: 'assistant', text }]
  }
}

const INTEGERS = { a: INTEGER, b: INTEGER }
const TOOLS: Tool[] = [
  bareTool('add', INTEGERS, ({ a, b }) => Number(a) + Number(b), { returns: INTEGER }),
  bareTool('multiply', INTEGERS, ({ a, b }) => Number(a) * Number(b), { returns: INTEGER }),
]
