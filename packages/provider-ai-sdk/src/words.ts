import { failureBody } from '@codeact/model'
import { isRecord } from './stream-part.ts'

const LONGEST = 500

/** What a failure says, in the server's own words. Where a provider did not find them in the answer's body, it is looked at again. */
export function wordsOf(error: unknown): string {
  if (!isRecord(error)) return cut(String(error))
  const message = typeof error.message === 'string' ? error.message : JSON.stringify(error)
  const said = typeof error.responseBody === 'string' ? bodyWords(error.responseBody) : ''
  return cut(said === '' || message.includes(said) ? message : `${message}: ${said}`)
}

function bodyWords(text: string): string {
  const body = failureBody(text)
  if (body !== undefined) return body.words ?? ''
  return /^\s*</.test(text) ? '' : text.trim() // a page says nothing
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
