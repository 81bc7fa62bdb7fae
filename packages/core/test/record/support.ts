import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CodeActEvent, Message } from '@codeact/spec'
import { afterAll, beforeAll, expect } from 'vitest'
import { scriptedAgent } from '../support.ts'

export const asText = (messages: readonly Message[] = []): string[] =>
  messages.map((message) => JSON.stringify(message))

/** Each request has the one before as its prefix, and the first one what was said before. */
export function expectGrowing(
  before: readonly Message[],
  requests: readonly { readonly messages: readonly Message[] }[],
): void {
  let last = asText(before)
  for (const { messages } of requests) {
    const now = asText(messages)
    expect(now.slice(0, last.length)).toEqual(last)
    last = now
  }
}

/** A run that stops at its limit of steps, and its log. */
export async function stopped(
  replies: readonly string[],
  options: object = {},
): Promise<{ log: CodeActEvent[]; said: Message[] }> {
  const log: CodeActEvent[] = []
  const { agent } = scriptedAgent(replies, { limits: { steps: replies.length }, ...options })
  await using session = await agent.session({ log: (event) => log.push(JSON.parse(JSON.stringify(event))) })
  expect((await session.run('Count.')).stop).toBe('max-steps')
  return { log, said: [...session.messages] }
}

/** Gives names of files in a folder that is gone after the tests. */
export function logFiles(): {
  path(name: string): string
  write(name: string, text: string | Buffer): Promise<string>
} {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'codeact-record-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const path = (name: string): string => join(folder, name)
  const write = async (name: string, text: string | Buffer): Promise<string> => {
    await appendFile(path(name), text)
    return path(name)
  }
  return { path, write }
}
