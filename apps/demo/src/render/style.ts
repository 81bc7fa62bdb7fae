/** How a screen sets things apart; plain text passes through where colours are not wanted. */
export interface Style {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  cyan(text: string): string
}

/** Whether a stream takes colours, by its own word and the user's. */
export function takesColours(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
}

export function styleFor(colours: boolean): Style {
  const paint = (on: number, off: number) => (text: string) =>
    colours && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  }
}
