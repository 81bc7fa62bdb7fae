/** The model's thinking, open or closed. The other blocks that are kept are what the vendor's own tools did. */
export function isThinking({ type }: { readonly type: string }): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}
