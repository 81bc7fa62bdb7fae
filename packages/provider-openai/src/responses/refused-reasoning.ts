import { createHash } from 'node:crypto'
import type { Fault } from '@codeact/model'
import type { OpenAI } from 'openai'
import type { ResponsesRequest } from './request.ts'

type Item = OpenAI.Responses.ResponseInputItem

/**
 * Reasoning is encrypted for one account: in a session that goes on under another key, the server cannot read what came
 * before. Those items are left out from then on; what is reasoned under the new key is kept.
 */
export function refusedReasoning({ code, words }: Fault, { input }: ResponsesRequest): readonly string[] {
  const isMeant = code === 'invalid_encrypted_content' || /\binvalid_encrypted_content\b/.test(words)
  return isMeant ? itemsOf(input).filter(isReasoning).map(nameOf) : []
}

export function stripReasoning(body: ResponsesRequest, refused: ReadonlySet<string>): ResponsesRequest {
  const input = itemsOf(body.input).filter((item) => !isReasoning(item) || !refused.has(nameOf(item)))
  return { ...body, input }
}

function itemsOf(input: ResponsesRequest['input']): readonly Item[] {
  return Array.isArray(input) ? input : []
}

function isReasoning(item: Item): item is OpenAI.Responses.ResponseReasoningItem {
  return item.type === 'reasoning'
}

function nameOf(item: OpenAI.Responses.ResponseReasoningItem): string {
  return createHash('sha256').update(JSON.stringify(item)).digest('hex')
}
