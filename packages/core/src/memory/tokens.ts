import type { Message } from '@codeact/spec'

/** How many tokens a text is, to a model. */
export type CountTokens = (text: string) => number

const ASCII_PER_TOKEN = 4
const IMAGE_TOKENS = 1000

/** The estimate where nobody counts: four ASCII characters are a token, and each other character is one. */
export function estimateTokens(text: string): number {
  let others = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) others += 1
  return Math.ceil((text.length - others) / ASCII_PER_TOKEN) + others
}

/** What a message takes of a model's context. An image counts as 1,000 tokens. */
export function messageTokens({ content }: Message, count: CountTokens): number {
  if (typeof content === 'string') return count(content)
  const counts = content.map((part) => {
    if (part.type === 'text') return count(part.text)
    if (part.type === 'tool-call') return count(part.json)
    return part.type === 'image' ? IMAGE_TOKENS : count(JSON.stringify(part.opaque) ?? '')
  })
  return counts.reduce((sum, one) => sum + one, 0)
}
