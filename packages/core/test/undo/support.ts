import type { CodeActEvent } from '@codeact/spec'
import { expect } from 'vitest'
import { Agent, type AgentOptions, type Session, type SessionOptions } from '../../src/index.ts'
import type { Reply } from '../scripted-model.ts'
import { scriptedParts } from '../support.ts'
import { watched } from '../watched.ts'

/** An agent whose sandboxes are watched; each of its sessions comes with the log that it writes. */
export function undoing(replies: readonly Reply[], options: Partial<AgentOptions> = {}) {
  const parts = scriptedParts(replies)
  const executor = watched(parts.executor)
  const agent = new Agent({ ...parts, executor, ...options })
  const start = async (how: SessionOptions = {}) => {
    const log: CodeActEvent[] = []
    const note = (event: CodeActEvent) => log.push(JSON.parse(JSON.stringify(event)))
    const session = await agent.session({ undo: 7, log: note, ...how })
    return { session, log }
  }
  return { agent, model: parts.model, executor, start }
}

/** What the session says of itself is what its log comes to, and can be gone on from. */
export async function expectAgreement(agent: Agent, session: Session, log: readonly CodeActEvent[]): Promise<void> {
  const saved = JSON.parse(JSON.stringify(session.save()))
  expect(saved.messages).toEqual(session.messages)
  await using loaded = await agent.session({ from: log })
  expect(loaded.save()).toEqual(saved)
  expect(loaded.messages).toEqual(session.messages)
}

export const roles = ({ messages }: Session): string => messages.map(({ role }) => role[0]).join('')
