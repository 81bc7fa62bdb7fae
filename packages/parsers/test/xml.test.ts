// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that is to be read
import { CodeActError } from '@codeact/spec'
import { describe, expect, test } from 'vitest'
import { xml } from '../src/xml.ts'
import { outline, read } from './support/read.ts'

describe('blocks', () => {
  test.each<[name: string, reply: string, outline: string]>([
    ['no block', 'Just 2 < 3 words.', 'Just 2 < 3 words.'],
    ['one block', 'a\n<execute>\nx = 1\nx\n</execute>\nb', 'a\n[python: x = 1\nx]\nb'],
    ['on one line', 'a <execute>x = 1</execute> b', 'a [python: x = 1] b'],
    ['with blanks around the code', '<execute>  x = 1\t</execute>', '[python: x = 1]'],
    ['several', '<execute>\na\n</execute> and <execute>\nb\n</execute>', '[python: a] and [python: b]'],
    ['side by side', '<execute>a</execute><execute>b</execute>', '[python: a][python: b]'],
    ['CRLF', '<execute>\r\na\r\nb\r\n</execute>\r\n', '[python: a\r\nb]\r\n'],
    ['leading blank lines go', '<execute>\n\n \t\n    a\n</execute>', '[python:     a]'],
    ['one trailing line end goes', '<execute>\na\n\n</execute>', '[python: a\n]'],
    ['an indented closing tag', '<execute>\na\n  </execute>', '[python: a]'],
    ['a stray closing tag', 'a </execute> b', 'a </execute> b'],
    ['unicode', '<execute>\nx = "é😀"\n</execute>😀', '[python: x = "é😀"]😀'],
    ['empty', 'a <execute></execute> b', 'a [!] b'],
    ['only white space', '<execute>\n \n\n</execute>', '[!]'],
    ['inside a Markdown fence', '```python\n<execute>\na\n</execute>\n```', '```python\n[python: a]\n```'],
  ])('%s', (_name, reply, expected) => {
    expect(outline(xml(), reply)).toBe(expected)
  })
})

describe('tags', () => {
  test.each<[name: string, reply: string, outline: string]>([
    ['a language', '<execute language="bash">ls</execute>', '[bash: ls]'],
    ['a language by another name', "<execute lang='PY3'>a</execute>", '[python: a]'],
    ['a language without quotes', '<execute language=js>a</execute>', '[javascript: a]'],
    ['a bare language', '<execute typescript>a</execute>', '[typescript: a]'],
    ['a language that is not known', '<execute language="COBOL">a</execute>', '[COBOL: a]'],
    ['other attributes', '<execute id="1" timeout=3 >a</execute>', '[python: a]'],
    ['white space in tags', '<execute\n  language = "bash"\n>ls</execute \n>', '[bash: ls]'],
    ['no attributes', 'the <execute tag is> here', 'the <execute tag is> here'],
    ['a longer name', '<executed>a</executed>', '<executed>a</executed>'],
    ['a shorter name', '<exec>a</exec>', '<exec>a</exec>'],
    ['a broken beginning', '<exec<execute>a</exec</execute>', '<exec[python: a</exec]'],
    ['a tag that never ends', `<execute ${'a=b '.repeat(100)}>`, `<execute ${'a=b '.repeat(100)}>`],
    ['a tag that prose quotes', 'Use `<execute>` and `</execute>`.', 'Use `<execute>` and `</execute>`.'],
    ['a tag behind a fence', '```<execute>a</execute>', '```[python: a]'],
    ['a tag after quoted words', '`x` <execute>a</execute>', '`x` [python: a]'],
  ])('%s', (_name, reply, expected) => {
    expect(outline(xml(), reply)).toBe(expected)
  })

  test('the name is text, never a pattern', () => {
    const parser = xml({ tag: 'c.*+(x)[$]' })
    expect(outline(parser, '<cab+(x)[$]>1</c.*+(x)[$]>')).toBe('<cab+(x)[$]>1</c.*+(x)[$]>')
    expect(outline(parser, '<c.*+(x)[$] lang=sh>1</c.*+(x)[$]>')).toBe('[bash: 1]')
  })

  test.each(['<execute>', '', 'a b', 'a/b', 'a"b', 'a=b'])('%j is no name for a tag', (tag) => {
    expect(() => xml({ tag })).toThrow(expect.objectContaining({ code: 'PARSER_TAG' }))
    expect(() => xml({ tag })).toThrow(CodeActError)
  })

  test('the default language is an option', () => {
    expect(outline(xml({ language: 'js' }), '<execute>1</execute>')).toBe('[javascript: 1]')
    expect(outline(xml({ language: 'ruby' }), '<execute>1</execute>')).toBe('[ruby: 1]')
  })
})

describe('a fence around the code', () => {
  test.each<[name: string, reply: string, outline: string]>([
    ['is not code', '<execute>\n```python\na\nb\n```\n</execute> c', '[python: a\nb] c'],
    ['names the language', '<execute>\n```bash\nls\n```\n</execute>', '[bash: ls]'],
    ['may name none', '<execute>```\na\n```</execute>', '[python: a]'],
    ['may name one that is not run', '<execute lang=sh>\n~~~code\na\n~~~\n</execute>', '[bash: a]'],
    ['with space around', '<execute>\n\n  ```py\r\n\na\r\n  ```\r\n\n </execute>', '[python: a]'],
    ['need not be closed', '<execute>\n```python\na\n</execute>', '[python: a]'],
    ['is closed by one as long', '<execute>\n````\na\n```\n````\n</execute>', '[python: a\n```]'],
    [
      'in a string',
      '<execute>\n```\ns = """\n```\n</execute>\n"""\n```\n</execute>',
      '[python: s = """\n```\n</execute>\n"""]',
    ],
    ['around a comment', '<execute>\n```\na # b\n```\n</execute> c', '[python: a # b] c'],
    ['around JavaScript', '<execute>\n```js\nf(`a`)\n```\n</execute> c', '[javascript: f(`a`)] c'],
    ['around nothing', '<execute>\n```python\n```\n</execute>', '[!]'],
    ['around no JavaScript', '<execute js>```\n```\n</execute>', '[!]'],
    ['is not one on one line', '<execute>```a```</execute>', '[python: ```a```]'],
    ['must begin the block', '<execute>\nx\n```\na\n```\n</execute>', '[python: x\n```\na\n```]'],
  ])('%s', (_name, reply, expected) => {
    expect(outline(xml(), reply)).toBe(expected)
  })
})

describe('the end of a block', () => {
  test.each<[name: string, reply: string, outline: string]>([
    ['not in a string', '<execute>s = "</execute>"\ns</execute>', '[python: s = "</execute>"\ns]'],
    ['not in a long string', '<execute>s = """\n</execute>\n"""\n</execute>', '[python: s = """\n</execute>\n"""]'],
    ['not in a comment', '<execute>\n# </execute> is a tag\na\n</execute>', '[python: # </execute> is a tag\na]'],
    ['behind a comment', '<execute>\na\n# b\n</execute>\nc', '[python: a\n# b]\nc'],
    ['not in a template', '<execute js>`${"}"}</execute>`</execute>', '[javascript: `${"}"}</execute>`]'],
    [
      'not in a pattern',
      '<execute js>/<\\/execute>"[</execute>]/</execute>',
      '[javascript: /<\\/execute>"[</execute>]/]',
    ],
    [
      'not in a here-document',
      '<execute bash>\ncat <<EOF\n</execute>\nEOF\n</execute>',
      '[bash: cat <<EOF\n</execute>\nEOF]',
    ],
    ['not in a raw string', '<execute r>x <- r"(</execute>")"</execute>', '[r: x <- r"(</execute>")"]'],
    ['in a language not known', '<execute lang=tcl>"</execute> a', '[tcl: "] a'],
    ['when none is outside: the first', '<execute>s = """</execute> a </execute>', '[python: s = """] a </execute>'],
    [
      'when none is outside: the rest is read again',
      '<execute>s = """</execute> a <execute>b</execute> c',
      '[python: s = """] a [python: b] c',
    ],
    [
      'when a block opens first: the first',
      '<execute>a # b</execute>\nc\n<execute>d</execute>',
      '[python: a # b]\nc\n[python: d]',
    ],
    ['with an open bracket', '<execute>f((1)</execute> :) <execute>b</execute>', '[python: f((1)] :) [python: b]'],
    ['with an unclosed string', '<execute>f("a)\n</execute>\n"b"', '[python: f("a)]\n"b"'],
    ['a tag inside code', '<execute>\n"<execute>"\n<execute>\n</execute>', '[python: "<execute>"\n<execute>]'],
  ])('%s', (_name, reply, expected) => {
    expect(outline(xml(), reply)).toBe(expected)
  })
})

describe('the end of a reply', () => {
  test.each<[name: string, reply: string, outline: string]>([
    ['inside a block', 'a <execute>\nb\nc', 'a [python: b\nc…]'],
    ['inside a block, behind a line', '<execute>\nb\n', '[python: b…]'],
    ['inside a string', '<execute>\ns = """', '[python: s = """…]'],
    ['inside an opening tag', 'a <exec', 'a <exec'],
    ['inside an opening tag with attributes', 'a <execute lang="py', 'a <execute lang="py'],
    ['inside a closing tag', '<execute>\nb\n</exec', '[python: b…]'],
    ['behind a smaller-than sign', '<execute>\nif a <', '[python: if a <…]'],
    ['behind an opening tag', 'a <execute>\n', 'a [!]'],
    ['in doubt', '<execute>s = """</execute>', '[python: s = """]'],
  ])('%s', (_name, reply, expected) => {
    expect(outline(xml(), reply)).toBe(expected)
    expect(read(xml(), [reply]).missing).toBe('')
  })

  test('when the tokens ran out, a doubt is not settled by what was never written', () => {
    const reply = '<execute>\ns = """\n</execute>\nmore'
    expect(outline(xml(), reply, 'length')).toBe('[python: s = """\n</execute>\nmore…]')
    expect(outline(xml(), reply, 'stop')).toBe('[python: s = """]\nmore')
  })

  test.each<[reply: string, code: string, missing: string]>([
    ['<execute>\na\n', 'a', '</execute>'],
    ['<execute>\na', 'a', '</execute>'],
    ['<execute>\na\n</', 'a', 'execute>'],
    ['<execute>\na\n</execute', 'a', '>'],
    ['<execute>\na <', 'a <', '</execute>'],
  ])('a stop sequence ate the end of %j', (reply, code, missing) => {
    const action = { type: 'code', language: 'python', code, closed: true }
    expect(read(xml(), [reply], 'stop-sequence')).toMatchObject({ actions: [action], missing })
    expect(read(xml({ blocks: 'first' }), [reply], 'stop')).toMatchObject({ actions: [action], missing })
    expect(read(xml(), [reply], 'stop')).toMatchObject({ actions: [{ ...action, closed: false }], missing: '' })
  })

  test('nothing is missing when the block was closed', () => {
    expect(read(xml(), ['<execute>a</execute>'], 'stop-sequence').missing).toBe('')
  })
})

describe('blocks: first', () => {
  const parser = xml({ blocks: 'first', tag: 'run' })

  test('stops at the closing tag, and takes one block', () => {
    expect(parser.stop).toEqual(['</run>'])
    expect(xml().stop).toEqual([])
    expect(outline(parser, 'a <run>b</run> c <run>d</run> e')).toBe('a [python: b]')
  })

  test('an empty block is the first', () => {
    expect(outline(parser, '<run></run> c <run>d</run>')).toBe('[!]')
  })

  test('what is read again is left out as well', () => {
    const reply = '<run>"""</run> c <run>d</run>'
    expect(outline(parser, reply)).toBe('[python: """]')
    expect(read(parser, [reply]).enough).toBe('<run>"""</run>'.length)
  })
})

test('an empty block says how to write one', () => {
  const { actions } = read(xml(), ['<execute>\n\n</execute>'])
  expect(actions).toEqual([
    { type: 'invalid', reason: expect.stringContaining('<execute>'), text: '<execute></execute>' },
  ])
})

test('instructions speak of the tag, the languages, and how to finish', () => {
  const text = xml({ tag: 'run' }).instructions({ languages: ['python', 'bash'], tools: [] })
  expect(text).toContain("<run>\nprint('hello')\n</run>")
  expect(text).toContain('<run language="bash">')
  expect(xml().finishing?.({ languages: ['python'], tools: [] })).toContain('without any code')
  expect(xml().instructions({ languages: ['python'], tools: [] })).not.toContain('language=')
  const javascript = xml().instructions({ languages: ['javascript'], tools: [] })
  expect(javascript).toContain('<execute language="javascript">\nconsole.log')
})

test('instructions name the tool that finishes, when there is one', () => {
  const final = { name: 'final_answer', description: '', parameters: {} as never, execute: () => null }
  expect(xml().finishing?.({ languages: ['python'], tools: [final] })).toContain('`final_answer`')
})

test('an observation goes back as a user message, with its images', () => {
  const image = { type: 'image' as const, mediaType: 'image/png', data: 'AA==' }
  const code = { type: 'code' as const, language: 'python', code: '1', closed: true }
  expect(xml().reply(code, { text: '1', images: [image] })).toEqual({
    role: 'user',
    kind: 'observation',
    content: [{ type: 'text', text: '1' }, image],
  })
})

describe('tags that are only spoken of', () => {
  test.each<[name: string, reply: string]>([
    ['in a code span', 'a ``b <execute>c</execute> d`` e'],
    ['in a span behind another', '`a` and `b <execute>c</execute>`'],
    ['in a fence of prose', '```text\n<execute>a</execute>\n```\n'],
    ['in a fence of prose in a list', '- a\n  ```json\n  <execute>a</execute>\n  ```\n'],
    ['in a block quote', '  > a <execute>b</execute>\n'],
    ['in reasoning', 'a\n <think>\n<execute>b</execute>\n</think> c'],
  ])('%s', (_name, reply) => {
    expect(outline(xml(), reply)).toBe(reply)
    expect(outline(xml(), `${reply}\n<execute>x</execute>`)).toBe(`${reply}\n[python: x]`)
  })

  test.each<[name: string, reply: string, outline: string]>([
    ['behind a span', '`a` ``b`` <execute>c</execute>', '`a` ``b`` [python: c]'],
    ['below a line that leaves a span open', 'a ` b\n<execute>c</execute>', 'a ` b\n[python: c]'],
    ['in a fence tagged as code', '```py\n<execute>a</execute>\n```', '```py\n[python: a]\n```'],
    [
      'in a fence tagged with the name of the tag',
      '```execute\n<execute>a</execute>\n```',
      '```execute\n[python: a]\n```',
    ],
    ['below a fence of prose', '~~~text\n~~~\n<execute>a</execute>', '~~~text\n~~~\n[python: a]'],
    ['below a block quote', '> a\n<execute>b</execute>', '> a\n[python: b]'],
    ['behind reasoning', '<think>a</think><execute>b</execute>', '<think>a</think>[python: b]'],
    ['behind a mark that is in a line', 'a <think> <execute>b</execute>', 'a <think> [python: b]'],
  ])('and those that are not: %s', (_name, reply, expected) => {
    expect(outline(xml(), reply)).toBe(expected)
  })

  test('what hides a block, and is never closed, is said', () => {
    const { actions } = read(xml(), ['```text\n<execute>a</execute>'], 'stop')
    expect(actions).toEqual([{ type: 'invalid', reason: expect.stringContaining('``` is missing'), text: '' }])
    expect(read(xml(), ['<think>a'], 'stop').actions).toMatchObject([{ reason: expect.stringContaining('</think>') }])
    expect(read(xml(), ['<think>a'], 'length').actions).toEqual([])
    expect(read(xml(), ['```text\na'], 'stop').actions).toEqual([])
    expect(read(xml(), ['```text\n<execute>a</execute>\n```'], 'stop').actions).toEqual([])
  })
})
