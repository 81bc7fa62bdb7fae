import { expect, test } from 'vitest'
import { safe } from '../../src/render/safe.ts'

test.each([
  ['plain text,\n\twith lines', 'plain text,\n\twith lines'],
  ['line\r\nline', 'line\nline'],
  ['\u001b[2J\u001b]0;title\u0007', '␛[2J␛]0;title␇'],
  ['50 %\r60 %', '50 %␍60 %'],
  ['\u0000\u007f', '␀␡'],
  ['\u009b2J', '\ufffd2J'],
  ['äöü 漢字 🙂', 'äöü 漢字 🙂'],
])('%j', (text, shown) => {
  expect(safe(text)).toBe(shown)
})
