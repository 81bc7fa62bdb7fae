import type { Outcome } from '../play/outcome.ts'
import { prose } from './prose.ts'
import { safe } from './safe.ts'
import type { Style } from './style.ts'
import { type Column, cut, tableRow } from './table.ts'
import { count, seconds } from './verdict.ts'

const COLUMNS: readonly Column[] = [
  { title: 'task', width: 17 },
  { title: 'answer', width: 15 },
  { title: 'expected', width: 15 },
  { title: 'steps', width: 5, align: 'right' },
  { title: 'time', width: 6, align: 'right' },
  { title: '', width: 10 },
]
const LONGEST_ANSWER = 60

const MARKS: Readonly<Record<Outcome['status'], string>> = {
  ok: '✓',
  mismatch: '✗ mismatch',
  stopped: '– stopped',
  unplayed: '– unplayed',
  skipped: '– skipped',
}

/** All outcomes in a table, why some are not as expected, and how many are. 80 columns wide. */
export function summary(outcomes: readonly Outcome[], width: number, style: Style): string {
  const sessions = new Set(outcomes.map(({ session }) => session))
  return [
    style.bold(
      `  ${tableRow(
        COLUMNS,
        COLUMNS.map(({ title }) => title),
      ).join('')}`,
    ),
    ...[...sessions].flatMap((name) => [
      `  ${style.dim(name)}`,
      ...outcomes.filter(({ session }) => session === name).flatMap((outcome) => rowOf(outcome, style)),
    ]),
    '',
    ...outcomes.filter(({ reason }) => reason !== undefined).map((outcome) => because(outcome, width, style)),
    `  ${tally(outcomes, style)}`,
  ].join('\n')
}

function rowOf({ title, answer, expected, steps, ms, status }: Outcome, style: Style): string[] {
  const cells = [
    title,
    cut(safe(answer), LONGEST_ANSWER) || '–',
    expected,
    steps === undefined ? '' : String(steps),
    ms === undefined ? '' : seconds(ms),
    MARKS[status],
  ]
  return tableRow(COLUMNS, cells).map((line) => `  ${coloured(line, style)}`)
}

function coloured(line: string, style: Style): string {
  return line
    .replace(/✓$/, style.green('✓'))
    .replace(/✗ mismatch$/, (text) => style.red(text))
    .replace(/– (stopped|unplayed|skipped)$/, (text) => style.yellow(text))
}

function because({ session, title, reason = '' }: Outcome, width: number, style: Style): string {
  return `  ${style.bold(`${session}, ${title}:`)}\n${prose(safe(reason), '    ', width)}\n`
}

function tally(outcomes: readonly Outcome[], style: Style): string {
  const counted = (status: Outcome['status']) => outcomes.filter((outcome) => outcome.status === status).length
  const others = (['mismatch', 'stopped', 'unplayed', 'skipped'] as const)
    .filter((status) => counted(status) > 0)
    .map((status) => `${counted(status)} ${status}`)
  const text = [`${counted('ok')} of ${count(outcomes.length, 'task')} as expected`, ...others].join(', ')
  const isGood = outcomes.every(({ status }) => status === 'ok' || status === 'skipped')
  return isGood ? style.green(text) : style.red(text)
}
