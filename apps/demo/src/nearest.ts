/** The word that was most likely meant: at most two letters, and a third of it, are wrong. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, wrong: editDistance(word.toLowerCase(), candidate) }))
    .filter(({ candidate, wrong }) => wrong <= Math.min(2, Math.ceil(candidate.length / 3)))
    .sort((a, b) => a.wrong - b.wrong)
  return best?.candidate
}

/** How many letters must be put in, left out or replaced, row by row. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
