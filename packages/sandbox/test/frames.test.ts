import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Frame, FrameDecoder, FramePort, MAX_FRAME_BYTES } from '../src/index.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function cutAt(data: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const edges = [0, ...cuts.map((cut) => cut % (data.length + 1)).sort((a, b) => a - b), data.length]
  return edges.slice(1).map((edge, index) => data.subarray(edges[index], edge))
}

describe('frames', () => {
  it('arrive as they were sent, however the bytes are cut', () => {
    const body = fc.uint8Array({ maxLength: 300 })
    const cuts = fc.array(fc.nat(), { maxLength: 20 })
    fc.assert(
      fc.property(fc.array(body, { maxLength: 6 }), cuts, (bodies, at) => {
        const sent: Uint8Array[] = []
        const port = new FramePort(
          (chunk) => sent.push(chunk),
          () => {},
        )
        for (const [index, one] of bodies.entries()) port.send({ type: 'stdout', id: `c${index}`, body: one })
        const received: Frame[] = []
        const other = new FramePort(
          () => {},
          (frame) => received.push(frame),
        )
        for (const chunk of cutAt(Buffer.concat(sent), at)) other.feed(chunk)
        expect(received.map(({ seq, id }) => ({ seq, id }))).toEqual(
          bodies.map((_, n) => ({ seq: n + 1, id: `c${n}` })),
        )
        expect(received.map((frame) => [...frame.body])).toEqual(bodies.map((one) => [...one]))
      }),
    )
  })

  it('acknowledge the last one that came', () => {
    const sent: string[] = []
    const port = new FramePort(
      (chunk) => sent.push(new TextDecoder().decode(chunk)),
      () => {},
    )
    port.send({ type: 'run', id: 'a', body: { code: '1' } })
    port.feed(bytes('done 41 1 a 2\n{}'))
    port.send({ type: 'run', id: 'b' })
    expect(sent).toEqual(['run 1 0 a 12\n{"code":"1"}', 'run 2 41 b 0\n'])
  })

  it.each([
    ['a whole frame', 'done 1 0 a 2\n{}', ['a']],
    ['half a header', 'done 1 0', []],
    ['half a body', 'done 1 0 a 1000\n{"x', []],
    ['no frame at all', 'garbage\n', []],
    ['nothing', '', []],
  ])('of another sender follow its mark, after %s, however the bytes are cut', (_what, last, heard) => {
    const next = 'awake 1 0 - 2\n{}done 2 0 b 2\n{}'
    const whole = bytes(`${last.slice(4)}mark-of-32-characters-0123456789${next}`)
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 10 }), (cuts) => {
        const received: string[] = []
        const port = new FramePort(
          () => {},
          ({ id }) => received.push(id),
        )
        port.feed(bytes(last.slice(0, 4)))
        port.succeed(bytes('mark-of-32-characters-0123456789'), () => received.push('mark'))
        for (const chunk of cutAt(whole, cuts)) port.feed(chunk)
        expect(received).toEqual([...heard, 'mark', '-', 'b'])
      }),
    )
  })

  it.each([
    ['garbage', 'hello world\n'],
    ['a negative length', 'done 1 1 a -5\n'],
    ['a length that is no number', 'done 1 1 a NaN\n'],
    ['a length beyond the limit', `done 1 1 a ${MAX_FRAME_BYTES + 1}\n`],
    ['a length of 2^31', 'done 1 1 a 2147483648\n'],
    ['a header that does not end', 'x'.repeat(500)],
    ['a type that is none', 'DONE 1 1 a 0\n'],
    ['an id with odd characters', 'done 1 1 a/../b 0\n'],
  ])('that hold %s are refused', (_what, text) => {
    expect(() => new FrameDecoder().feed(bytes(text))).toThrow(/cannot be read/)
  })

  it('wait for the rest of a body', () => {
    const decoder = new FrameDecoder()
    expect(decoder.feed(bytes('done 1 0 a 4\n{"'))).toEqual([])
    expect(decoder.feed(bytes('":'))).toHaveLength(1)
  })
})
