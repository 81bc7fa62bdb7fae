import type { Outcome } from '../play/outcome.ts'
import { prose } from './prose.ts'
import { safe } from './safe.ts'
import type { Style } from './style.ts'

/** One outcome in a line, below what it was read from; with the reason where it is not as expected. */
export function verdict({ status, answer, reason, steps, ms }: Outcome, width: number, style: Style): string {
  const effort = steps === undefined || ms === undefined ? '' : style.dim(`  ${count(steps, 'step')}, ${seconds(ms)}`)
  if (status === 'ok') return `  ${style.green(`✓ ${safe(answer)}`)}${effort}`
  const mark = status === 'mismatch' ? style.red('✗ mismatch') : style.yellow(`– ${status}`)
  return `  ${mark}${effort}${reason === undefined ? '' : `\n${prose(safe(reason), '    ', width)}`}`
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
