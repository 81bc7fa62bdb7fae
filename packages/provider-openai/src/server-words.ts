import { failureBody } from '@codeact/model'

/**
 * The body of a failed response, as the SDK reads it: `{ error: { message } }`. Servers also write `{ error: '…' }`,
 * `{ message }` or `{ detail }`, and their words would be lost.
 */
export function serverWords(text: string): string {
  const { fields, words: message } = failureBody(text) ?? {}
  const isReadable = typeof fields?.error === 'object' && fields.error !== null
  return isReadable || message === undefined ? text : JSON.stringify({ error: { ...fields, message } })
}
