import { expect, test } from 'vitest'
import type { Outcome } from '../../src/play/outcome.ts'
import { styleFor } from '../../src/render/style.ts'
import { summary } from '../../src/render/summary.ts'

const ok: Outcome = {
  session: 'sums',
  title: 'one and one',
  expected: '2',
  answer: '2',
  status: 'ok',
  steps: 2,
  ms: 1234,
}

function shown(...outcomes: Outcome[]): string {
  return summary(outcomes, 80, styleFor(false))
}

test('a row for each task, below its session', () => {
  expect(shown(ok, { ...ok, title: 'two and two', expected: '4', answer: '4' })).toBe(
    [
      '  task               answer           expected         steps    time',
      '  sums',
      '  one and one        2                2                    2   1.2 s  ✓',
      '  two and two        4                4                    2   1.2 s  ✓',
      '',
      '  2 of 2 tasks as expected',
    ].join('\n'),
  )
})

test('what is long goes on below', () => {
  const text = shown({ ...ok, expected: '455.00 Widget A 13 65.00', answer: '455.00 Widget A 13 65.00' })
  expect(text).toContain('  one and one        455.00 Widget A  455.00 Widget A      2   1.2 s  ✓\n')
  expect(text).toContain('\n                     13 65.00         13 65.00\n')
})

test('what is not as expected is told below the table', () => {
  const reason = 'The recording does not agree.\n  recorded: 55\n  got:      66'
  const text = shown(
    ok,
    { session: 'sums', title: 'to 10', expected: '55', answer: '', status: 'mismatch', reason },
    { session: 'numpy', title: 'squares', expected: '5', answer: '', status: 'skipped', reason: 'there is no numpy' },
  )
  expect(text).toContain('  to 10              –                55                              ✗ mismatch\n')
  expect(text).toContain('  squares            –                5                               – skipped\n')
  expect(text).toContain('  sums, to 10:\n    The recording does not agree.\n      recorded: 55\n      got:      66\n')
  expect(text).toContain('  numpy, squares:\n    there is no numpy\n')
  expect(text.endsWith('  1 of 3 tasks as expected, 1 mismatch, 1 skipped')).toBe(true)
})

test('it fits into 80 columns, whatever the answer is', () => {
  const answer = 'A very long answer, with anexceedinglylongwordinitthatcannotbebroken, and more of it than is of use.'
  const text = shown({ ...ok, answer, status: 'mismatch', reason: answer })
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
})
