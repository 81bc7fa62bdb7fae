import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OutputBuffer } from '../src/output-buffer.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('OutputBuffer', () => {
  it('keeps everything below its limit, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (parts) => {
        const text = bytes(parts.join(''))
        const buffer = new OutputBuffer(1_000_000)
        let shown = ''
        for (let at = 0; at < text.length; at += 3) shown += buffer.write(text.subarray(at, at + 3))
        shown += buffer.end()
        expect(shown).toBe(new TextDecoder().decode(text))
        expect(buffer.text).toBe(shown)
        expect(buffer.dropped).toBe(0)
      }),
    )
  })

  it('keeps head and tail of a flood, and counts what is between', () => {
    const buffer = new OutputBuffer(100)
    for (let n = 0; n < 50_000; n++) buffer.write(bytes(`${n}\n`))
    const total = Array.from({ length: 50_000 }, (_, n) => String(n).length + 1).reduce((a, b) => a + b)
    expect(buffer.dropped).toBe(total - 100)
    expect(buffer.text).toMatch(/^0\n1\n2\n/)
    expect(buffer.text).toMatch(/49998\n49999\n$/)
    expect(buffer.text).toContain(`${total - 100} bytes left out`)
  })

  it('takes one chunk larger than all it may keep', () => {
    const buffer = new OutputBuffer(10)
    expect(buffer.write(bytes('abcdefghijklmnopqrstuvwxyz'))).toBe('abcde')
    expect(buffer.text).toBe('abcde\n[… 16 bytes left out …]\nvwxyz')
  })

  it('fills exactly to its limit without a cut', () => {
    const buffer = new OutputBuffer(10)
    buffer.write(bytes('abcdefg'))
    buffer.write(bytes('hij'))
    expect(buffer.text).toBe('abcdefghij')
    expect(buffer.dropped).toBe(0)
  })
})
