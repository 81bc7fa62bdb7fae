/**
 * Keeps head and tail of a text within a number of characters, and says in between how many are missing.
 *
 * @param file where all of it can be read
 */
export function cutMiddle(text: string, limit: number, file?: string): { readonly text: string; readonly cut: number } {
  if (text.length <= limit) return { text, cut: 0 }
  const head = wholeUntil(text, Math.ceil(limit / 2))
  const tail = wholeFrom(text, text.length - Math.floor(limit / 2))
  const cut = tail - head
  const where = file === undefined ? '' : `; all of it is in the file ${file}`
  return { text: `${text.slice(0, head)}\n[… ${cut} characters left out${where} …]\n${text.slice(tail)}`, cut }
}

/** Never between the two halves of a character beyond the basic plane. */
function wholeUntil(text: string, index: number): number {
  return isLowSurrogate(text, index) ? index - 1 : index
}

function wholeFrom(text: string, index: number): number {
  return isLowSurrogate(text, index) ? index + 1 : index
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff
}
