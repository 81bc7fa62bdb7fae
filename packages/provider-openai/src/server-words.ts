/**
 * The body of a failed response, as the SDK reads it: `{ error: { message } }`. Servers also write `{ error: '…' }`,
 * `{ message }` or `{ detail }`, and their words would be lost.
 */
export function serverWords(text: string): string {
  const body = parse(text)
  if (!isRecord(body) || isRecord(body.error)) return text
  const words = body.error ?? body.message ?? body.detail
  if (words === undefined) return text
  return JSON.stringify({ error: { ...body, message: typeof words === 'string' ? words : JSON.stringify(words) } })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
