/**
 * The words in the body of a failed response. Servers write `{ error: { message } }`, `{ error: '…' }`, `{ message }`,
 * `{ detail }`, or plain text.
 */
export function wordsIn(body: string): string {
  const parsed = parse(body)
  if (!isRecord(parsed)) return body.trim()
  const words = isRecord(parsed.error) ? parsed.error.message : (parsed.error ?? parsed.message ?? parsed.detail)
  if (words === undefined) return body.trim()
  return typeof words === 'string' ? words : JSON.stringify(words)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
