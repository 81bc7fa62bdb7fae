import { describe, expect, test } from 'vitest'
import { Marked } from '../../src/render/marked.ts'
import { Prose, prose } from '../../src/render/prose.ts'

/** However the text is cut into pieces, the lines are these. */
function flow(make: () => Marked | Prose, text: string): string {
  const whole = make()
  const expected = whole.push(text) + whole.end()
  const byCharacter = make()
  expect([...text].map((character) => byCharacter.push(character)).join('') + byCharacter.end()).toBe(expected)
  return expected
}

describe('prose', () => {
  const wrapped = (text: string) => flow(() => new Prose('  ', 12), text)

  test.each([
    ['one two three four', '  one two\n  three four'],
    ['  one', '  one'],
    ['\n\none\n', '  one'],
    ['one\ntwo\n\nthree\n\n', '  one\n  two\n\n  three'],
    ['a list:\n  - one two three', '  a list:\n    - one\n    two\n    three'],
    ['  - deep\nflat and long', '  - deep\n  flat and\n  long'],
    ['internationalization is long', '  internationalization\n  is long'],
    ['one  two', '  one  two'],
    ['one \ntwo', '  one\n  two'],
    ['', ''],
    [' \n ', ''],
  ])('%j', (text, lines) => {
    expect(wrapped(text)).toBe(lines)
  })

  test('may begin with a mark', () => {
    expect(flow(() => new Prose('    ', 14, '  › '), 'one two three\nfour')).toBe('  › one two\n    three\n    four')
  })

  test('shows a word as soon as it is whole', () => {
    const text = new Prose('', 80)
    expect([text.push('on'), text.push('e tw'), text.push('o'), text.end()]).toEqual(['', 'one', '', ' two'])
  })

  test('of a whole text', () => {
    expect(prose('one two', '  ', 6)).toBe('  one\n  two')
  })
})

describe('marked lines', () => {
  const bar = (text: string, room = Number.POSITIVE_INFINITY) => flow(() => new Marked('│ ', '│ ', room), text)

  test.each([
    ['a = 1\nb = 2', '│ a = 1\n│ b = 2'],
    ['if a:\n    b', '│ if a:\n│     b'],
    ['  a\n', '│   a'],
    ['\n\na\n\n\nb\n\n', '│ a\n│\n│\n│ b'],
    ['\ta', '│     a'],
    ['', ''],
    ['\n', ''],
  ])('%j', (text, lines) => {
    expect(bar(text)).toBe(lines)
  })

  test('go on below where there is no room', () => {
    expect(bar('abcdefgh\nij', 3)).toBe('│ abc\n│ def\n│ gh\n│ ij')
    expect(bar('abc\ndef', 3)).toBe('│ abc\n│ def')
  })

  test('show each character as it comes', () => {
    const text = new Marked('> ', '  ', 80)
    expect([text.push('a'), text.push('\n'), text.push('b')]).toEqual(['> a', '', '\n  b'])
  })
})
