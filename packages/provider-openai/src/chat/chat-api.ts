import type { OpenAI } from 'openai'
import { type Api, opened } from '../api.ts'
import { refusedFields, strip } from '../refused.ts'
import type { Fields } from '../settings.ts'
import type { Chunk } from './chunk.ts'
import { ChatReader } from './reply-reader.ts'
import { type ChatRequest, chatRequest } from './request.ts'

/** Chat Completions: what every compatible server speaks. */
export function chatApi(client: OpenAI, fields: Fields): Api<ChatRequest, Chunk> {
  return {
    write: (request, without) => strip(chatRequest(fields, request), without),
    send: (body, signal) => opened(client.chat.completions.create(body, { signal })),
    reader: () => new ChatReader(),
    refusedBy: refusedFields,
  }
}
