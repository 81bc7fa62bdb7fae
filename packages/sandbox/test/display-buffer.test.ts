import { describe, expect, it } from 'vitest'
import { DisplayBuffer } from '../src/display-buffer.ts'

describe('DisplayBuffer', () => {
  it('keeps what fits, says once that more is left out, and does not even read that', () => {
    const buffer = new DisplayBuffer()
    let read = 0
    const image = { 'image/png': 'x'.repeat(2_500_000), 'text/plain': 'image' }
    const shown = [1, 2, 3, 4, 5, 6].map(() =>
      buffer.write(() => {
        read += 1
        return image
      }),
    )
    expect(shown.slice(0, 3)).toEqual([image, image, image])
    expect(shown[3]?.['text/plain']).toContain('left out')
    expect(shown.slice(4)).toEqual([undefined, undefined])
    expect(read).toBe(4)
    expect(buffer.bundles).toEqual(shown.slice(0, 4))
  })

  it('keeps no more than a thousand, however small', () => {
    const buffer = new DisplayBuffer()
    for (let n = 0; n < 5000; n++) buffer.write(() => ({ 'text/plain': String(n) }))
    expect(buffer.bundles).toHaveLength(1001)
  })
})
