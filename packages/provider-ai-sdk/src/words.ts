import { isRecord } from './stream-part.ts'

const LONGEST = 500

/**
 * What a failure says, in the server's own words. Where a provider did not find them in the answer's body (servers write
 * `{ error: '…' }`, `{ message }`, `{ detail }`), the body is looked at again.
 */
export function wordsOf(error: unknown): string {
  if (!isRecord(error)) return cut(String(error))
  const message = typeof error.message === 'string' ? error.message : JSON.stringify(error)
  const said = typeof error.responseBody === 'string' ? bodyWords(error.responseBody) : ''
  return cut(said === '' || message.includes(said) ? message : `${message}: ${said}`)
}

function bodyWords(body: string): string {
  const parsed = parse(body)
  if (!isRecord(parsed)) return /^\s*</.test(body) ? '' : body.trim() // a page says nothing
  const words = isRecord(parsed.error) ? parsed.error.message : (parsed.error ?? parsed.message ?? parsed.detail)
  if (words === undefined) return ''
  return typeof words === 'string' ? words : JSON.stringify(words)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
