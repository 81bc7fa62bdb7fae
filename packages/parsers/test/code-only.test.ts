import { describe, expect, test } from 'vitest'
import { codeOnly } from '../src/code-only.ts'
import { outline, read } from './support/read.ts'

describe('the whole reply is the code', () => {
  test.each<[name: string, reply: string, outline: string]>([
    ['one line', 'print(1)', '[python: print(1)]'],
    ['white space around', ' \n\n  x = 1\n  x\n', '[python:   x = 1\n  x]'],
    ['a blank in front', ' x = 1', '[python: x = 1]'],
    ['a fence in a string', 'print("""\n```python\na\n```\n""")\n', '[python: print("""\n```python\na\n```\n""")]'],
    ['a fence in another language', 'a\n```json\n1\n```\n', '[python: a\n```json\n1\n```]'],
    ['a tag', '<tag>\na', '[python: <tag>\na]'],
    ['nothing', '', '[!]'],
    ['white space', ' \n', '[!]'],
  ])('%s', (_name, reply, expected) => {
    expect(outline(codeOnly(), reply)).toBe(expected)
  })

  test('unless the tokens ran out before it was whole', () => {
    expect(outline(codeOnly(), 'x = 1', 'length')).toBe('[python: x = 1…]')
    expect(outline(codeOnly(), 'x = 1', 'stop')).toBe('[python: x = 1]')
  })

  test('ends once', () => {
    const reader = codeOnly().start()
    reader.feed('x')
    expect(reader.end()).toHaveLength(3)
    expect(reader.end()).toEqual([])
  })
})

describe('reasoning in front of the code is text', () => {
  test.each<[name: string, reply: string, outline: string]>([
    [
      'in front of bare code',
      "<think>\ndon't\n```python\na\n</think>\nx = 1",
      "<think>\ndon't\n```python\na\n</think>[python: x = 1]",
    ],
    ['in front of a fence', '\n<think>a</think>\n```py\nb\n```', '\n<think>a</think>\n[python: b]'],
    ['of which only half a mark is there', '<thi', '[python: <thi]'],
    ['in front of nothing', '<think>a</think>', '<think>a</think>[!]'],
    ['that never ends', '<think>a', '<think>a[!]'],
    ['in a string', 'x = """\n<think>\n"""', '[python: x = """\n<think>\n"""]'],
  ])('%s', (_name, reply, expected) => {
    expect(outline(codeOnly(), reply)).toBe(expected)
  })

  test('ends once', () => {
    const reader = codeOnly().start()
    reader.feed('<think>')
    expect([reader.end().length, reader.end().length]).toEqual([1, 0])
    expect(outline(codeOnly(), '<think>a', 'length')).toBe('<think>a')
  })
})

describe('the code inside fences is taken', () => {
  test.each<[name: string, reply: string, outline: string]>([
    ['one around all', '```python\na\n```\n', '[python: a]'],
    ['untagged', '```\na\n```', '[python: a]'],
    ['in a language that is not known', '```tool_code\na\n```', '[python: a]'],
    ['in another language', '```bash\nls\n```', '[bash: ls]'],
    ['with prose around', "Here's the code:\n```python\na\n```\nThat's it.", "Here's the code:\n[python: a]That's it."],
    ['several', '```python\na\n```\nthen\n```python\nb\n```', '[python: a]then\n[python: b]'],
    ['unclosed', '```python\na', '[python: a…]'],
  ])('%s', (_name, reply, expected) => {
    expect(outline(codeOnly(), reply)).toBe(expected)
  })

  test('an apostrophe in prose is no string that never ends', () => {
    const parser = codeOnly({ language: 'bash' })
    expect(outline(parser, "Here's a script:\n```bash\nls\n```\n")).toBe("Here's a script:\n[bash: ls]")
  })

  test('what a stop sequence ate is missing', () => {
    expect(read(codeOnly(), ['```python\na\n'], 'stop-sequence')).toMatchObject({
      actions: [{ code: 'a', closed: true }],
      missing: '```',
    })
    expect(read(codeOnly(), ['a\n'], 'stop-sequence').missing).toBe('')
  })
})

test('instructions ask for code alone, in the one language', () => {
  const text = codeOnly({ language: 'js' }).instructions({ languages: ['python', 'javascript'], tools: [] })
  expect(text).toContain('one javascript program')
  expect(codeOnly().finishing?.({ languages: ['python'], tools: [] })).toContain('print it')
  expect(codeOnly()).toMatchObject({ stop: [], isOneShot: true })
})
