export interface Column {
  readonly title: string
  /** Characters; longer words are cut, longer texts go on in the next line. */
  readonly width: number
  readonly align?: 'right'
}

/** A row of a table: as many lines as its fullest cell takes, two spaces between the columns. */
export function tableRow(columns: readonly Column[], cells: readonly string[]): string[] {
  const wrapped = columns.map(({ width }, index) => wrapWords(cells[index] ?? '', width))
  const height = Math.max(...wrapped.map(({ length }) => length))
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((column, index) => pad(wrapped[index]?.[line] ?? '', column))
      .join('  ')
      .trimEnd(),
  )
}

function pad(text: string, { width, align }: Column): string {
  return align === 'right' ? text.padStart(width) : text.padEnd(width)
}

function wrapWords(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).map((part) => cut(part, width))) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** The text, or its beginning and a sign that there is more. */
export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}
