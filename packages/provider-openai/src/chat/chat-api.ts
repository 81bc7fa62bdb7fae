import type { Api } from '../api.ts'
import type { Fields } from '../settings.ts'
import type { Chunk } from './chunk.ts'
import { ChatReader } from './reply-reader.ts'
import { type ChatRequest, chatRequest } from './request.ts'

/** Chat Completions: what every compatible server speaks. */
export function chatApi(fields: Fields): Api<ChatRequest, Chunk> {
  return {
    write: (request) => chatRequest(fields, request),
    send: (client, body, signal) => client.chat.completions.create(body, { signal }).withResponse(),
    reader: () => new ChatReader(),
  }
}
