import type { Style } from './style.ts'

/** A line across the screen that says what comes. */
export function heading(name: string, about: string, width: number, style: Style): string {
  const line = '─'.repeat(Math.max(2, width - name.length - about.length - 6))
  return `\n${style.dim('──')} ${style.bold(name)} ${style.dim(`${line} ${about}`)}\n`
}
