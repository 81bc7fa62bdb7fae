import type { ActionParser } from '@codeact/spec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BlockReader } from '../src/block-reader.ts'
import { codeOnly } from '../src/code-only.ts'
import { fenced } from '../src/fenced.ts'
import { xml } from '../src/xml.ts'
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
const halfTags = ['<', '</', '>', '<exec', 'ute>', '</exec', '<execute ', '</execute', '=']
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
const taggy = replies(anywhere, literals, tags, tags, halfTags, fences)
const fency = replies(anywhere, literals, fences, fences, halfFences)

const fenceLine = String.raw`(?:\`{3,}[^\n\`]*|~{3,}[^\n]*)\n`
const wrapperLine = String.raw`(?=(?:(?!</execute\s*>)[^\n])*\n)${fenceLine}`
const tagDelimiters: Delimiters = {
  open: new RegExp(String.raw`<execute(?:\s[^<>]*)?>(?:\s*${wrapperLine})?(?:[^\S\n]*\n)*(?:(?<=>)\s+)?`),
  close: /\s*(?:[`~]+\s*)?(?:<\/execute\s*>|<\/[^<>]*$|$)|\s*(?:`{3,}|~{3,})[^\n]*$/,
  indent: () => 0,
}
const fenceDelimiters: Delimiters = {
  open: new RegExp(String.raw`(?:[ \t]|[-*+][ \t]|\d+\.[ \t])*${fenceLine}(?:[^\S\n]*\n)*`),
  close: /\s*?(?:(?:^|(?<=\n))[ ]*(?:`+|~+)[^\S\n]*(?:\n|$)|$)/,
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

describe.each(all)('%s: any reply', (_name, parser, reply) => {
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
          expect(action.code).toMatch(/^(?![^\S\n]*\n)[\s\S]*\S/)
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

describe('the work is linear', () => {
  const many = (count: number, piece: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => piece(index)).join('')

  test.each<[name: string, parser: ActionParser, reply: (count: number) => string]>([
    ['here-documents that never end', fenced(), (n) => many(n, (i) => `\`\`\`bash\ncat <<E${i}\n\`\`\`\n`)],
    [
      'here-documents that end too late',
      fenced(),
      (n) => `${many(n, (i) => `\`\`\`bash\ncat <<E${i}\n\`\`\`\n`)}${many(n, (i) => `E${i}\n'\n`)}`,
    ],
    ['raw strings that never end', fenced(), (n) => many(n, (i) => `\`\`\`r\nr"${'-'.repeat(i)}(\n\`\`\`\n`)],
    ['tags in comments', xml(), (n) => many(n, () => '<execute>a # </execute>\n')],
    [
      'tags in comments, then a block',
      xml(),
      (n) => `${many(n, () => '<execute>a # </execute>\n')}<execute>b</execute>`,
    ],
    ['tags in one string', xml(), (n) => `<execute>"""${many(n, () => '</execute><execute>')}`],
  ])('%s', (_name, parser, reply) => {
    const work = (count: number): number => {
      const reader = parser.start() as BlockReader
      const text = reply(count)
      for (const piece of cut(
        text,
        [1, 2, 3, 5].map((part) => Math.floor(text.length / part)),
      ))
        reader.feed(piece)
      reader.end('stop')
      return reader.work / text.length
    }
    const counts = [100, 200, 400, 800].map(work)
    expect(Math.max(...counts)).toBeLessThanOrEqual(10)
    expect(counts[3]).toBeLessThanOrEqual((counts[2] ?? 0) * 1.5)
  })

  test('a reply that is read once is read once', () => {
    const reader = xml().start() as BlockReader
    const reply = 'a <execute>s = "</execute>"</execute> b'
    reader.feed(reply)
    reader.end()
    expect(reader.work).toBe(reply.length)
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
