import { describe, expect, test } from 'vitest'
import { fenced } from '../src/fenced.ts'
import { outline, read } from './support/read.ts'

describe('blocks', () => {
  test.each<[name: string, reply: string, outline: string]>([
    ['no block', 'Just `words`.\n\n~ and ``` some', 'Just `words`.\n\n~ and ``` some'],
    ['one block', 'a\n```python\nx = 1\nx\n```\nb', 'a\n[python: x = 1\nx]b'],
    ['several', '```python\na\n```\nb\n```bash\nc\n```\n', '[python: a]b\n[bash: c]'],
    ['tildes', '~~~python\na\n```\n~~~\n', '[python: a\n```]'],
    ['a longer fence', '````python\na\n```\n````\n', '[python: a\n```]'],
    ['closed by a longer fence', '```python\na\n`````  \nb', '[python: a]b'],
    ['not closed by a tagged fence', '```python\na\n```x\n```', '[python: a\n```x]'],
    ['not closed within a line', '```python\na ```\n```', '[python: a ```]'],
    ['CRLF', '```python\r\na\r\nb\r\n```\r\nc', '[python: a\r\nb]c'],
    ['blank lines around', '```python\n\n \na\n\n```', '[python: a\n]'],
    ['an indented first line', '```python\n  a\nb\n```', '[python:   a\nb]'],
    ['closed at the end of the reply', '```python\na\n```', '[python: a]'],
    ['empty', '```python\n```\n', '[!]'],
    ['only white space', '```python\n \n\n```\n', '[!]'],
    ['in a tag', '<execute>\n```python\na\n```\n</execute>', '<execute>\n[python: a]</execute>'],
    ['not in the middle of a line', 'so: ```python\na', 'so: ```python\na'],
    ['a word between backticks', '```python```\na', '```python```\na'],
    ['quoted', '> ```python\n> a\n> ```\n', '> ```python\n> a\n> ```\n'],
  ])('%s', (_name, reply, expected) => {
    expect(outline(fenced(), reply)).toBe(expected)
  })
})

describe('indentation', () => {
  test.each<[name: string, reply: string, outline: string]>([
    ['of the fence is none of the code', '  ```python\n  a\n   b\n c\n  ```\n', '[python: a\n b\nc]'],
    ['may differ at the closing fence', '```python\na\n   ```\nb', '[python: a]b'],
    ['of four columns is no fence', '    ```python\n    a\n', '    ```python\n    a\n'],
    ['of a tab is no fence', '\t```python\na\n', '\t```python\na\n'],
    ['of four columns closes nothing', '```python\na\n    ```\n```', '[python: a\n    ```]'],
    ['by tabs', '- x\n\n\t```python\n\ta\n\t\tb\n\t```\nc', '- x\n\n[python: a\n\tb]c'],
    ['a tab that leads further stays', '  ```python\n\ta\n  ```', '[python: \ta]'],
  ])('%s', (_name, reply, expected) => {
    expect(outline(fenced(), reply)).toBe(expected)
  })

  test.each<[name: string, reply: string, outline: string]>([
    ['as deep as its text', '- x\n\n  ```python\n  a\n  ```\n', '- x\n\n[python: a]'],
    ['deeper', '1. x\n    ```python\n    a\n    ```\n', '1. x\n[python: a]'],
    ['nested', '1. x\n   - y\n\n     ```python\n     a\n     ```\n', '1. x\n   - y\n\n[python: a]'],
    ['behind its mark', '10) ```python\n    a\n    ```\nb', '[python: a]b'],
    ['behind two marks', '- * ```python\n    a\n    ```\nb', '[python: a]b'],
    ['too deep', '- x\n\n      ```python\n', '- x\n\n      ```python\n'],
    ['after the list', '- x\n\ny\n\n    ```python\n', '- x\n\ny\n\n    ```python\n'],
    ['back in the outer item', '- x\n  - y\n\n  ```python\n  a\n  ```', '- x\n  - y\n\n[python: a]'],
    ['of an empty item', '-\n    ```python\n    a\n    ```\n', '-\n[python: a]'],
    ['that is none: no space behind the mark', '-```python\na', '-```python\na'],
    ['that is none: a rule', '---\n```python\na\n```\n', '---\n[python: a]'],
    ['that is none: emphasis', '**b**\n    ```python\n', '**b**\n    ```python\n'],
    ['that is none: a long number', '1234567890. x\n            ```python\n', '1234567890. x\n            ```python\n'],
    ['text far behind the mark', '-      x\n\n  ```python\n  a\n  ```', '-      x\n\n[python: a]'],
  ])('a fence in a list item: %s', (_name, reply, expected) => {
    expect(outline(fenced(), reply)).toBe(expected)
  })
})

describe('languages', () => {
  test.each<[info: string, language: string]>([
    ['python', 'python'],
    ['py', 'python'],
    ['Python3', 'python'],
    [' python ', 'python'],
    ['python title="a"', 'python'],
    ['python,linenos', 'python'],
    ['{.python}', 'python'],
    ['{.python .numberLines}', 'python'],
    ['{r, echo=FALSE}', 'r'],
    ['R', 'r'],
    ['js', 'javascript'],
    ['javascript', 'javascript'],
    ['node', 'javascript'],
    ['ts', 'typescript'],
    ['typescript', 'typescript'],
    ['bash', 'bash'],
    ['sh', 'bash'],
    ['shell', 'bash'],
  ])('%j is %s', (info, language) => {
    expect(outline(fenced(), `\`\`\`${info}\na\n\`\`\``)).toBe(`[${language}: a]`)
  })

  test.each(['', 'json', 'text', 'output', 'pythonic', 'console', '{#id}', '.python'])('%j is prose', (info) => {
    const reply = `\`\`\`${info}\na\n\`\`\`\nb`
    expect(outline(fenced(), reply)).toBe(reply)
  })

  test('prose goes on to its own closing fence', () => {
    const nested = '````markdown\n```python\na\n```\n````\n'
    expect(outline(fenced(), nested)).toBe(nested)
    expect(outline(fenced(), `${nested}\`\`\`python\nb\n\`\`\``)).toBe(`${nested}[python: b]`)
    const tildes = '~~~\n```python\na\n```\n~~~\n'
    expect(outline(fenced(), tildes)).toBe(tildes)
    const open = '```text\n```python\na\n'
    expect(outline(fenced(), open)).toBe(`${open}[!]`)
    expect(outline(fenced(), open, 'length')).toBe(open)
  })

  test('untagged fences have the language of that option', () => {
    const parser = fenced({ untagged: 'py' })
    expect(outline(parser, '```\na\n```\n~~~json\n1\n~~~\n')).toBe('[python: a]~~~json\n1\n~~~\n')
  })
})

describe('the end of a block', () => {
  test.each<[name: string, reply: string, outline: string]>([
    [
      'not in a long string',
      '```python\ns = """\n```python\na\n```\n"""\n```\nb',
      '[python: s = """\n```python\na\n```\n"""]b',
    ],
    ['not in a template', '```js\nf(`\n```\n`)\n```\nb', '[javascript: f(`\n```\n`)]b'],
    [
      'not in a template that should have escaped it',
      '```js\nf(`\n```py\na\n```\n`)\n```\nb',
      '[javascript: f(`\n```py\na\n```\n`)]b',
    ],
    ['not in a block comment', '```ts\n/*\n```\n*/ a\n```\nb', '[typescript: /*\n```\n*/ a]b'],
    ['not in a here-document', '```bash\ncat <<E\n```\nE\n```\nb', '[bash: cat <<E\n```\nE]b'],
    ['not in a quoted string', "```sh\necho '\n```\n'\n```\nb", "[bash: echo '\n```\n']b"],
    ['not in a raw string', '```r\nx <- r"(\n```\n)"\n```\nb', '[r: x <- r"(\n```\n)"]b'],
    ['behind a comment', "```python\n# it's\n```\nb", "[python: # it's]b"],
    ['with an open bracket', '```python\nf((1)\n```\n:)\n```python\nb\n```\n', '[python: f((1)]:)\n[python: b]'],
    ['with an unclosed string', '```python\nf("a)\n```\nb"\n', '[python: f("a)]b"\n'],
    ['when none is outside: the first', '```python\n"""\n```\na\n```\nb\n', '[python: """]a\n```\nb\n'],
    [
      'when none is outside: the rest is read again',
      "```bash\necho it's\n```\nb\n```python\nc\n```\nd",
      "[bash: echo it's]b\n[python: c]d",
    ],
    [
      'when a block opens first: the first',
      '```python\n"""\n```\n"""\n```bash\nb\n```\nc',
      '[python: """]"""\n[bash: b]c',
    ],
    ['in doubt, without a line end', '```python\n"""\n```', '[python: """]'],
    ['an indented one in a string', '  ```python\n  """\n  ```\n  """\n  ```\n', '[python: """\n```\n"""]'],
  ])('%s', (_name, reply, expected) => {
    expect(outline(fenced(), reply)).toBe(expected)
  })
})

describe('the end of a reply', () => {
  test.each<[name: string, reply: string, outline: string]>([
    ['inside a block', 'a\n```python\nb\nc', 'a\n[python: b\nc…]'],
    ['inside a block, behind a line', '```python\nb\n', '[python: b…]'],
    ['inside an opening fence', 'a\n``', 'a\n``'],
    ['inside an info string', 'a\n```pyth', 'a\n```pyth'],
    ['behind an info string', 'a\n```python', 'a\n```python'],
    ['inside a closing fence', '```python\nb\n``', '[python: b…]'],
    ['inside a fence that closes nothing', '```python\nb\n~~~', '[python: b\n~~~…]'],
    ['behind an opening fence', '```python\n', '[!]'],
  ])('%s', (_name, reply, expected) => {
    expect(outline(fenced(), reply)).toBe(expected)
    expect(read(fenced(), [reply]).missing).toBe('')
  })

  test.each<[reply: string, code: string, missing: string]>([
    ['```python\na', 'a', '\n```'],
    ['```python\na\n', 'a', '```'],
    ['```python\na\n`', 'a', '``'],
    ['````python\na\n```', 'a', '`'],
    ['  ~~~~python\n  a\n', 'a', '  ~~~~'],
    ['  ~~~~python\n  a\n ', 'a', ' ~~~~'],
    ['```python\na\n```x', 'a\n```x', '\n```'],
  ])('a stop sequence ate the end of %j', (reply, code, missing) => {
    const action = { type: 'code', language: 'python', code, closed: true }
    expect(read(fenced(), [reply], 'stop-sequence')).toMatchObject({ actions: [action], missing })
    expect(read(fenced({ blocks: 'first' }), [reply], 'stop')).toMatchObject({
      actions: [{ closed: false }],
      missing: '',
    })
  })

  test('when the tokens ran out, a doubt is not settled by what was never written', () => {
    const reply = '```python\ns = """\n```\nmore'
    expect(outline(fenced(), reply, 'length')).toBe('[python: s = """\n```\nmore…]')
    expect(outline(fenced(), reply, 'stop')).toBe('[python: s = """]more')
  })
})

test('blocks: first takes one block, and leaves out what is behind it', () => {
  const parser = fenced({ blocks: 'first' })
  expect(parser.stop).toEqual([])
  const first = 'So: ```\n```bash\na\n```\n'
  const reply = `${first}\`\`\`python\nb\n\`\`\`\n`
  expect(outline(parser, reply)).toBe('So: ```\n[bash: a]')
  expect(read(parser, [reply]).enough).toBe(first.length)
  expect(read(fenced(), [reply]).enough).toBe(undefined)
})

test('instructions speak of the fence, the languages, and how to finish', () => {
  const text = fenced().instructions({ languages: ['python', 'r'], tools: [] })
  expect(text).toContain("```python\nprint('hello')\n```")
  expect(text).toContain('There is: r.')
  expect(fenced().finishing?.({ languages: ['python'], tools: [] })).toContain('without any code')
  expect(fenced({ blocks: 'first' }).instructions({ languages: [], tools: [] })).toContain('one block')
})
