import { expect, test } from 'vitest'
import { PythonScanner } from '../../src/lexical/python.ts'
import { isInside, isInsideByChar } from '../support/inside.ts'

test.each<[code: string, inside: boolean]>([
  ['', false],
  ['x = 1', false],
  ['x = (1,', false],
  ['x = "', true],
  ['x = "a"', false],
  ['x = ""', false],
  ['x = \'a"', true],
  ['x = "a\\"', true],
  ['x = "a\\\\"', false],
  ['x = "a\n', false],
  ['x = "a\\\n', true],
  ['x = "a\\\r\n', true],
  ['x = """', true],
  ['x = """a"', true],
  ['x = """a""', true],
  ['x = """a"""', false],
  ['x = """"""', false],
  ['x = """\n\n', true],
  ['x = \'\'\'"""', true],
  ["x = '''\"\"\"'''", false],
  ['x = """a\\"""', true],
  ['x = """a"" """', false],
  ["x = '' ''", false],
  ["x = '''' '''", false],
  ['x = r"\\"', true],
  ['x = rb"\\\\"', false],
  ["x = f'{y}", true],
  ["x = f'{y['z']}'", false],
  ['# it', true],
  ['# it\'s "', true],
  ['# it\'s "\n', false],
  ['x = "#"', false],
  ['x = [\n  # a', true],
  ['x = """ # """', false],
  ['x = "é😀"', false],
])('%j', (code, inside) => {
  expect(isInside(new PythonScanner(), code)).toBe(inside)
  expect(isInsideByChar(new PythonScanner(), code)).toBe(inside)
})
