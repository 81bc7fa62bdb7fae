import type { CountTokens } from '../memory/tokens.ts'
import { cutMiddle } from './cut-middle.ts'

interface Allowance {
  readonly tokens: number
  readonly countTokens: CountTokens
}

/** A token is a character or more of it, so a text that is no longer than this needs no counting. */
const CHARACTERS_PER_TOKEN_AT_MOST = 16
const TRIES = 12

export function isTooLong(text: string, { tokens, countTokens }: Allowance): boolean {
  return text.length > tokens && countTokens(text) > tokens
}

/**
 * Keeps head and tail of a text within a number of tokens, and says in between how many characters are missing.
 *
 * @param file where all of it can be read
 */
export function cutToTokens(
  text: string,
  allowance: Allowance,
  file?: string,
): { readonly text: string; readonly cut: number } {
  if (!isTooLong(text, allowance)) return { text, cut: 0 }
  const { tokens, countTokens } = allowance
  let limit = Math.min(text.length - 1, tokens * CHARACTERS_PER_TOKEN_AT_MOST)
  for (let tries = 0; tries < TRIES; tries++) {
    const [head, tail] = [text.slice(0, Math.ceil(limit / 2)), text.slice(text.length - Math.floor(limit / 2))]
    const taken = countTokens(head) + countTokens(tail)
    if (taken <= tokens) break
    limit = Math.min(limit - 1, Math.floor((limit * tokens) / taken))
  }
  return cutMiddle(text, limit, file)
}
