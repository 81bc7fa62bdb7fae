import { expect, test } from 'vitest'
import { RScanner } from '../../src/lexical/r.ts'
import { isInside, isInsideByChar } from '../support/inside.ts'

test.each<[code: string, inside: boolean]>([
  ['', false],
  ['x <- c(1,', false],
  ['x <- "', true],
  ['x <- "a"', false],
  ['x <- "a\n', true],
  ['x <- "a\\"', true],
  ["x <- 'a\"'", false],
  ['# it', true],
  ["# it's\n", false],
  ['x <- r"(', true],
  ['x <- r"(a")', true],
  ['x <- r"(a\\)"', false],
  ['x <- r"(a)"', false],
  ["x <- R'[a]'", false],
  ['x <- r"{a}}"', false],
  ['x <- r"--(a)-"', true],
  ['x <- r"--(a)--"', false],
  ['x <- r"--(a)---"', true],
  ['x <- r"-(a))-"', false],
  ['x <- r"abc"', false],
  ['x <- r"-"', false],
  ['bar"(a"', false],
  ['`a b', true],
  ['`a b`', false],
  ['`a\n', false],
  ['x %in% y', false],
])('%j', (code, inside) => {
  expect(isInside(new RScanner(), code)).toBe(inside)
  expect(isInsideByChar(new RScanner(), code)).toBe(inside)
})
