import type { ActionParser } from '@codeact/spec'
import { describe, expect, test } from 'vitest'
import type { BlockReader } from '../src/block-reader.ts'
import { fenced } from '../src/fenced.ts'
import { xml } from '../src/xml.ts'
import { cut } from './support/read.ts'

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
    ['fields that never end', fenced(), (n) => many(n, () => '```python\nf"""{(\n```\n')],
    ['reasoning that never ends', xml(), (n) => `<think>${many(n, () => '<execute>a</execute>\n')}`],
    ['prose that never ends', fenced(), (n) => `~~~text\n${many(n, () => '```python\na\n```\n')}`],
    ['tags inside fences', fenced(), (n) => many(n, () => '```python\n<execute>\n</exec\n```\n')],
    ['half tags', xml(), (n) => `<execute>${many(n, () => '</execute <')}`],
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
