/**
 * What the SDK throws, told apart by name: where two copies of it are installed, an error of one is no instance of the other's class.
 */
export function nameOf(error: unknown): string {
  return error instanceof Error || (typeof error === 'object' && error !== null && 'name' in error)
    ? String((error as Error).name)
    : ''
}

/** The SDK's words as the end of a sentence, without a key that may be in them. */
export function wordsOf(error: unknown, key?: string): string {
  const { message = String(error), cause } = (error ?? {}) as Error
  const inner = cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : ''
  const words = `${message}${inner}`.trim().replace(/\.$/, '')
  return key === undefined || key === '' ? words : words.replaceAll(key, '…')
}
