import { describe, expect, it } from 'vitest'
import { MarkReader } from '../../src/notebook/mark-reader.ts'

/** What is told of a stream that comes in pieces: text, and marks in angle brackets. */
function told(pieces: readonly string[]): string {
  const all: string[] = []
  const reader = new MarkReader('s', (name) => all.push(`<${name}>`))
  for (const piece of pieces) reader.feed(piece, (text) => all.push(text))
  reader.end((text) => all.push(text))
  return all.join('')
}

describe('marks in a stream', () => {
  const stream = 'a\x02s t1\x03b\x02\x02s end\x03\x02s\x02other x\x03c\x02s '

  it('are taken out, and nothing else, however the stream is cut', () => {
    const whole = 'a<t1>b\x02<end>\x02s\x02other x\x03c\x02s '
    expect(told([stream])).toBe(whole)
    expect(told([...stream])).toBe(whole)
    for (let at = 1; at < stream.length; at++) expect(told([stream.slice(0, at), stream.slice(at)])).toBe(whole)
  })

  it('that do not end are text, and are not waited for', () => {
    const heard: string[] = []
    const reader = new MarkReader('s', () => expect.unreachable())
    reader.feed(`x\x02s ${'y'.repeat(100)}`, (text) => heard.push(text))
    expect(heard.join('')).toBe(`x\x02s ${'y'.repeat(100)}`)
  })
})
