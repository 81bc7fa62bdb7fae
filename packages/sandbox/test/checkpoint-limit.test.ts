import { describe, expect, it } from 'vitest'
import { type Frame, FramePort, type Place, type SupervisedOptions, supervisedBackend } from '../src/index.ts'

const MB = 2 ** 20

/** The limit that a supervisor is told, which says this of itself. */
async function limitOf(up: object, options: Pick<SupervisedOptions, 'checkpointBytes' | 'memory'>): Promise<unknown> {
  const heard: Frame[] = []
  const backend = await supervisedBackend({
    ...options,
    start: async (receive) => startPlace(up, receive, heard),
    capabilities: () => ({ languages: [], isolation: 'none', exceptions: [] }),
  })
  await backend.connect('python', () => {})
  const connect = heard.find(({ type }) => type === 'connect')
  return (JSON.parse(Buffer.from(connect?.body ?? '').toString()) as { checkpoint?: unknown }).checkpoint
}

function startPlace(up: object, receive: (bytes: Uint8Array) => void, heard: Frame[]): Place {
  const port = new FramePort(receive, (frame) => heard.push(frame))
  queueMicrotask(() => port.send({ type: 'up', body: { version: '3.13.1', confined: true, ...up } }))
  return { write: (bytes) => port.feed(bytes), closed: new Promise(() => {}), setIdle() {}, async close() {} }
}

describe('checkpoints behind a supervisor are taken', () => {
  it('up to what was asked for', async () => {
    expect(await limitOf({}, { checkpointBytes: 48 * MB })).toBe(48 * MB)
    expect(await limitOf({ memory: 4096 * MB }, { checkpointBytes: 48 * MB })).toBe(48 * MB)
  })

  it('up to half of the memory: that of the place, or else of its machine', async () => {
    expect(await limitOf({ memory: 512 * MB }, { checkpointBytes: 1024 * MB })).toBe(256 * MB)
    expect(await limitOf({ memory: 4096 * MB }, { checkpointBytes: 1024 * MB, memory: 512 * MB })).toBe(256 * MB)
  })

  it('not at all where nobody asked, or the code could look into the supervisor', async () => {
    expect(await limitOf({}, {})).toBeUndefined()
    expect(await limitOf({ confined: false }, { checkpointBytes: 48 * MB })).toBeUndefined()
  })
})
