import type { Api } from '../api.ts'
import type { Fields } from '../settings.ts'
import type { ResponsesEvent } from './event.ts'
import { ResponsesReader } from './reply-reader.ts'
import { type ResponsesRequest, responsesRequest } from './request.ts'

/** The Responses API: what OpenAI itself speaks, and the only one in which its models keep their reasoning. */
export function responsesApi(fields: Fields): Api<ResponsesRequest, ResponsesEvent> {
  return {
    write: (request) => responsesRequest(fields, request),
    send: (client, body, signal) => client.responses.create(body, { signal }).withResponse(),
    reader: () => new ResponsesReader(fields.model),
  }
}
