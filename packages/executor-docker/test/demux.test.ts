import { describe, expect, it } from 'vitest'
import { Demultiplexer } from '../src/demux.ts'

function piece(type: number, text: string): Buffer {
  const header = Buffer.alloc(8)
  header[0] = type
  header.writeUInt32BE(Buffer.byteLength(text), 4)
  return Buffer.concat([header, Buffer.from(text)])
}

function collector() {
  const said: string[] = []
  const outputs = {
    stdout: (bytes: Uint8Array) => void said.push(`1${Buffer.from(bytes).toString('latin1')}`),
    stderr: (bytes: Uint8Array) => void said.push(`2${Buffer.from(bytes).toString('latin1')}`),
  }
  return { said, demultiplexer: new Demultiplexer(outputs) }
}

/** Pieces of the same stream joined, since where they are cut does not matter. */
function joined(said: readonly string[]): string[] {
  const all: string[] = []
  for (const text of said) {
    if (all.at(-1)?.[0] === text[0]) all.push(`${all.pop()}${text.slice(1)}`)
    else all.push(text)
  }
  return all
}

describe('Demultiplexer', () => {
  const stream = Buffer.concat([
    piece(1, 'one'),
    piece(2, 'two'),
    piece(1, ''),
    piece(2, 'x'.repeat(300)),
    piece(1, 'end'),
  ])
  const expected = ['1one', `2two${'x'.repeat(300)}`, '1end']

  it.each([1, 2, 3, 7, 8, 9, 11, 50, 1000])('takes the stream apart when it comes in slices of %i bytes', (size) => {
    const { said, demultiplexer } = collector()
    for (let at = 0; at < stream.length; at += size) demultiplexer.feed(stream.subarray(at, at + size))
    expect(joined(said)).toEqual(expected)
  })

  it('hands on what belongs to a piece at once, however long the piece says it is', () => {
    const { said, demultiplexer } = collector()
    demultiplexer.feed(Buffer.from([2, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 65, 66]))
    expect(said).toEqual(['2AB'])
  })

  it.each([
    ['a type that is none', [3, 0, 0, 0, 0, 0, 0, 1]],
    ['what comes without any header, as with a terminal', [...Buffer.from('hello world')]],
    ['a header with something in its empty bytes', [1, 0, 1, 0, 0, 0, 0, 1]],
  ])('refuses %s', (_what, bytes) => {
    const { said, demultiplexer } = collector()
    expect(() => demultiplexer.feed(Uint8Array.from(bytes))).toThrow(
      expect.objectContaining({ code: 'PROTOCOL_ERROR' }),
    )
    expect(said).toEqual([])
  })
})
