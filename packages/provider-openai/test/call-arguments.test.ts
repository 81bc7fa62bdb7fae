import { expect, test } from 'vitest'
import { callArguments } from '../src/call-arguments.ts'

test.each([
  ['{"a": 1}', '{"a": 1}'],
  ['', '{}'],
  [' ', '{}'],
  ['{"code":"x', '{"INVALID_JSON":"{\\"code\\":\\"x"}'],
  ['["a"]', '{"INVALID_JSON":"[\\"a\\"]"}'],
  ['null', '{"INVALID_JSON":"null"}'],
])('%j goes back as %j', (json, sent) => expect(callArguments(json)).toBe(sent))
