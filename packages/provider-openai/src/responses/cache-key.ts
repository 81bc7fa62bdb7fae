import { createHash } from 'node:crypto'
import type { ModelRequest } from '@codeact/spec'

/**
 * Brings the calls of one session to the same cache. It is made of what all of them begin with: the model, the tools, and
 * the messages up to the first task.
 */
export function cacheKey(model: string, { messages, tools = [] }: ModelRequest): string {
  const first = messages.findIndex(({ role }) => role === 'user')
  const head = messages.slice(0, first + 1)
  return createHash('sha256')
    .update(JSON.stringify([model, tools, head]))
    .digest('hex')
    .slice(0, 32)
}
