const NUMBER = /-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi

/** Which of these figures and words a text says. A figure may be said with more decimals, and with commas. */
export function foundIn(text: string, expected: readonly string[]): string[] {
  const numbers = [...text.matchAll(NUMBER)].map(([digits]) => Number(digits.replaceAll(',', '')))
  return expected.filter((wanted) => {
    const number = Number(wanted)
    if (Number.isNaN(number)) return text.includes(wanted)
    const decimals = wanted.split('.')[1]?.length ?? 0
    return numbers.some((found) => found.toFixed(decimals) === number.toFixed(decimals))
  })
}
