/** The body of a failed response, where it is a JSON object. */
export interface FailureBody {
  readonly fields: Readonly<Record<string, unknown>>
  /** Undefined where they stand in no place that is known. */
  readonly words: string | undefined
}

/** Servers write `{ error: { message } }`, `{ error: '…' }`, `{ message }`, `{ detail }`, or plain text, which has no fields. */
export function failureBody(text: string): FailureBody | undefined {
  const fields = parse(text)
  if (!isRecord(fields)) return undefined
  const words = isRecord(fields.error) ? fields.error.message : (fields.error ?? fields.message ?? fields.detail)
  return { fields, words: words === undefined || typeof words === 'string' ? words : JSON.stringify(words) }
}

/** The words in the body of a failed response; where there are none, all of it. */
export function wordsIn(text: string): string {
  return failureBody(text)?.words ?? text.trim()
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
