import type { OpenAI } from 'openai'
import { type Api, opened } from '../api.ts'
import { refusedFields, strip } from '../refused.ts'
import type { Fields } from '../settings.ts'
import type { ResponsesEvent } from './event.ts'
import { refusedReasoning, stripReasoning } from './refused-reasoning.ts'
import { ResponsesReader } from './reply-reader.ts'
import { type ResponsesRequest, responsesRequest } from './request.ts'

/** The Responses API: what OpenAI itself speaks, and the only one in which its models keep their reasoning. */
export function responsesApi(client: OpenAI, fields: Fields): Api<ResponsesRequest, ResponsesEvent> {
  return {
    write: (request, without) => stripReasoning(strip(responsesRequest(fields, request), without), without),
    send: (body, signal) => opened(client.responses.create(body, { signal })),
    reader: () => new ResponsesReader(fields.model),
    refusedBy: (fault, body) => [...refusedReasoning(fault, body), ...refusedFields(fault, body)],
  }
}
