import type { ActionParser } from '@codeact/spec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeOnly } from '../src/code-only.ts'
import { fenced } from '../src/fenced.ts'
import { xml } from '../src/xml.ts'
import { corpus } from './support/corpus.ts'
import { cut, read } from './support/read.ts'
import { columns, type Delimiters, walk } from './support/walk.ts'

const anywhere = [
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  ' ',
  '    ',
  '\t',
  'x = 1',
  'word',
  '(',
  ')',
  '{',
  '}',
  '\\',
  '#',
  '//',
  '/',
  '/*',
]
const literals = [
  '"',
  "'",
  '"""',
  "'''",
  '`',
  '*/',
  '${',
  'r"-(',
  ')-"',
  '<<EOF',
  '\nEOF\n',
  '$(',
  'é',
  '😀',
  '\ud83d',
  '\ude00',
]
const tags =
  '<execute>|</execute>|</execute>|</execute >|<execute language="bash">|<execute js>|<execute lang=r>'.split('|')
const halfTags = [
  '<',
  '</',
  '>',
  '<exec',
  'ute>',
  '</exec',
  '</ execute>',
  '</execute\n',
  '<execute ',
  '</execute',
  '=',
]
const fences = [
  '```',
  '````',
  '~~~',
  '```python\n',
  '\n```py\n',
  '\n```\n',
  '```bash\n',
  '~~~js\n',
  '```r\n',
  '```json\n',
]
const halfFences = ['``', '~', '- ', '1. ', '  ', '\n   ```', 'python']

const replies = (...pieces: string[][]) =>
  fc.array(fc.constantFrom(...pieces.flat()), { maxLength: 40 }).map((all) => all.join(''))
const reasoning = ['<think>', '\n<think>\n', '</think>', '<thin']
const taggy = replies(anywhere, literals, tags, tags, halfTags, fences, reasoning)
const wrappers = ['<execute>', '</execute>', '<code>\n', '</code>', '</co']
const fency = replies(anywhere, literals, fences, fences, halfFences, wrappers, reasoning)

const fenceLine = String.raw`(?:\`{3,}[^\n\`]*|~{3,}[^\n]*)\n`
const wholeTag = String.raw`<(?:execute|code)(?: (?:language="bash"|js|lang=r)?[^\S\n]*)?>`
const wrapperTag = String.raw`${wholeTag}|<(?:exec|(?:execute|code)(?:[^\S\n][^<>\n]*)?)?$`
const wrapperLine = String.raw`(?=(?:(?!</\s*execute[\s>])[^\n])*\n)${fenceLine}`
const tagDelimiters: Delimiters = {
  open: new RegExp(String.raw`<execute(?:\s[^<>]*)?>(?:\s*${wrapperLine})?(?:[^\S\n]*\n)*(?:(?<=>)\s+)?`),
  close:
    /\s*(?:[`~]+\s*)?(?:<\/\s*execute\s*(?:>|(?<=\n\s*))|<\/[^<>]*$|$)|\s*(?:`{3,}|~{3,})[^\n]*?(?:<\/\s*execute\s*)?$/,
  indent: () => 0,
}
const fenceDelimiters: Delimiters = {
  open: new RegExp(
    String.raw`(?:[ \t]|[-*+][ \t]|\d+\.[ \t])*${fenceLine}(?:\s*${wrapperTag})?(?:[^\S\n]*\n)*(?:(?<=>)\s+)?`,
  ),
  close: /(?:\s*<(?:\/[a-z]*\s*>?)?)??\s*?(?:(?:^|(?<=\n))[ ]*(?:`+|~+)[^\S\n]*(?:\n|$)|$)/,
  indent: (opening) => columns(opening.slice(0, opening.search(/[`~]/))),
}

const parsers: [name: string, parser: ActionParser, reply: fc.Arbitrary<string>, delimiters: Delimiters][] = [
  ['xml', xml(), taggy, tagDelimiters],
  ['xml, JavaScript', xml({ language: 'js' }), taggy, tagDelimiters],
  ['xml, bash, first', xml({ language: 'bash', blocks: 'first' }), taggy, tagDelimiters],
  ['fenced', fenced(), fency, fenceDelimiters],
  ['fenced, untagged', fenced({ untagged: 'r' }), fency, fenceDelimiters],
  ['fenced, first', fenced({ blocks: 'first' }), fency, fenceDelimiters],
]
const all: [name: string, parser: ActionParser, reply: fc.Arbitrary<string>][] = [
  ...parsers.map(([name, parser, reply]): [string, ActionParser, fc.Arbitrary<string>] => [name, parser, reply]),
  ['code only', codeOnly(), fency],
  ['code only, bash', codeOnly({ language: 'bash' }), fency],
]
const finishes = fc.constantFrom('stop' as const, 'stop-sequence' as const, 'length' as const, undefined)
const runs = { numRuns: 300 }

/** Pieces of what models write, put together. */
const mixed = fc
  .array(fc.tuple(fc.constantFrom(...corpus), fc.nat(), fc.nat()), { maxLength: 5 })
  .map((pieces) => pieces.map(([{ input }, from, to]) => cut(input, [from, to])[1]).join(''))
const arbitrary = fc.string({ unit: 'binary', maxLength: 200 })

describe.each(all)('%s: any reply', (_name, parser, reply) => {
  test('of any characters, and of pieces of the corpus, is read, and the same however it is cut', () => {
    fc.assert(
      fc.property(
        fc.oneof(arbitrary, mixed),
        fc.array(fc.nat(), { maxLength: 3 }),
        finishes,
        (text, places, finish) => {
          const { events, missing } = read(parser, [text], finish)
          expect(read(parser, cut(text, places), finish)).toMatchObject({ events, missing })
        },
      ),
      runs,
    )
  })

  test('reads the same however it is cut', () => {
    fc.assert(
      fc.property(reply, fc.array(fc.nat(), { maxLength: 3 }), finishes, (text, places, finish) => {
        const { events, missing, enough } = read(parser, [text], finish)
        for (const pieces of [text.split(''), cut(text, places)]) {
          expect(read(parser, pieces, finish)).toMatchObject({ events, missing, enough })
        }
      }),
      runs,
    )
  })

  test('gives whole blocks, in order, whose pieces are their code', () => {
    const letters = { text: 't', 'code-start': '[', 'code-delta': 'd', 'code-end': ']', action: '!' }
    fc.assert(
      fc.property(reply, finishes, (text, finish) => {
        const { raw } = read(parser, text.split(''), finish)
        expect(raw.map(({ type }) => letters[type]).join('')).toMatch(/^(?:t|!|\[d+\])*$/)
        const starts = raw.filter((event) => event.type === 'code-start')
        const ends = raw.filter((event) => event.type === 'code-end')
        expect(ends.map(({ id }) => id)).toEqual([...new Set(starts.map(({ id }) => id))])
        for (const [index, { id, action }] of ends.entries()) {
          const pieces = raw.flatMap((event) => (event.type === 'code-delta' && event.id === id ? event.text : []))
          expect(action).toMatchObject({ language: starts[index]?.language, code: pieces.join('') })
          expect(pieces.join('')).toMatch(/^(?![^\S\n]*\n)[\s\S]*\S/)
        }
      }),
      runs,
    )
  })
})

test.each(parsers)(
  '%s: each character of a reply is text, code, or part of a delimiter',
  (_name, parser, reply, delimiters) => {
    fc.assert(
      fc.property(reply, finishes, (text, finish) => {
        const { events, enough } = read(parser, [text], finish)
        expect(walk(text.slice(0, enough), events, delimiters)).toBe('')
      }),
      runs,
    )
  },
)

test.each(parsers)('%s: what is missing closes the block', (_name, parser, reply) => {
  fc.assert(
    fc.property(reply, (text) => {
      fc.pre(!/<\/?[a-z]*$/.test(text)) // half a tag in a fence is a delimiter at the end only
      const { missing, actions } = read(parser, [text], 'stop-sequence')
      const mended = read(parser, [text + missing], 'stop-sequence')
      expect(mended.missing).toBe('')
      const [action] = actions
      if (actions.length > 1 || action?.type !== 'code') return
      // Blanks at the end of a line are code when the line is whole, and left out when the reply ends there.
      const trimmed = mended.actions.map((other) =>
        'code' in other ? { ...other, code: other.code.trimEnd() } : other,
      )
      expect(trimmed).toEqual([{ ...action, code: action.code.trimEnd() }])
    }),
    runs,
  )
})

describe('what is certain streams at once', () => {
  /** `[` where code starts, `]` where it ends. */
  const shown = (parser: ActionParser, pieces: readonly string[]): string[] => {
    const reader = parser.start()
    const mark = { 'code-start': '[', 'code-end': ']', action: '!' }
    return pieces.map((piece) =>
      reader
        .feed(piece)
        .map((event) => ('text' in event ? event.text : mark[event.type]))
        .join(''),
    )
  }

  test.each<[name: string, parser: ActionParser, steps: [piece: string, shown: string][]]>([
    [
      'xml',
      xml(),
      [
        ['a', 'a'],
        [' <', ' '],
        ['b', '<b'],
        ['<exec', ''],
        ['ute>\n', ''],
        ['x', '[x'],
        [' ', ''],
        ['= 1', ' = 1'],
        ['\n', ''],
        ['y <', '\ny'],
        ['2', ' <2'],
        ['\n</execute', ''],
        ['>z', ']z'],
      ],
    ],
    [
      'fenced',
      fenced(),
      [
        ['a', 'a'],
        ['b\n', 'b\n'],
        ['``', ''],
        ['c', '``c'],
        ['\n```py', '\n'],
        ['\n', ''],
        ['x', '[x'],
        ['\n  ', ''],
        ['y', '\n  y'],
        ['\n``', ''],
        ['`', ''],
        ['\nz', ']z'],
      ],
    ],
    [
      'code only, fenced',
      codeOnly(),
      [
        ['so:\n', ''],
        ['```\n', 'so:\n'],
        ['x', '[x'],
        ['\n```\n', ']'],
      ],
    ],
  ])('%s', (_name, parser, steps) => {
    const pieces = steps.map(([piece]) => piece)
    expect(shown(parser, pieces)).toEqual(steps.map(([, expected]) => expected))
  })

  test('also in a doubt that is over', () => {
    const reader = xml().start()
    expect(reader.feed('<execute>s = "</execute>')).toMatchObject([{ type: 'code-start' }, { text: 's = "' }])
    expect(reader.feed('"; t = 1')).toEqual([])
    expect(reader.feed('</execute>')).toMatchObject([{ text: '</execute>"; t = 1' }, { type: 'code-end' }])
    expect(reader.feed('b')).toEqual([{ type: 'text', text: 'b' }])
  })
})

test('only text is read: no reasoning, no tool calls', () => {
  const reader = xml().start()
  expect(reader.feed({ type: 'reasoning-delta', text: '<execute>a</execute>' })).toEqual([])
  expect(reader.feed({ type: 'tool-call-start', callId: '1', name: 'f' })).toEqual([])
  expect(reader.feed({ type: 'text-delta', text: '<execute>' })).toEqual([])
  expect(reader.feed({ type: 'reasoning-delta', text: '</execute>' })).toEqual([])
  expect(reader.feed({ type: 'text-delta', text: 'b</execute>' })).toHaveLength(3)
  expect(reader.end('stop')).toEqual([])
  expect(reader.end('stop')).toEqual([])
})
