const FENCED = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?\1\s*$/

/** The JSON that a text is, bare or as all of one code fence; undefined where it is none. */
export function jsonIn(text: string): { readonly value: unknown } | undefined {
  const trimmed = text.trim()
  const inner = FENCED.exec(trimmed)?.[2] ?? trimmed
  try {
    return { value: JSON.parse(inner) }
  } catch {
    return undefined
  }
}
