import { describe, expect, it } from 'vitest'
import { insidePath } from '../src/index.ts'

describe('insidePath', () => {
  it.each([
    ['a.txt', 'a.txt'],
    ['./a//b/', 'a/b'],
    ['a/../b', 'b'],
    ['.', '.'],
    ['a/..', '.'],
    ['.hidden', '.hidden'],
    ['…/x', '…/x'],
  ])('takes %j', (path, clean) => expect(insidePath(path)).toBe(clean))

  it.each(['..', '../x', 'a/../../x', '/etc/passwd', 'C:\\x', '\\\\host\\x'])('keeps %j out', (path) => {
    expect(() => insidePath(path)).toThrow(/not inside/)
  })

  it.each(['', 'a\0b', 'x'.repeat(2000)])('knows that %j is no path', (path) => {
    expect(() => insidePath(path)).toThrow(/not a path/)
  })
})
