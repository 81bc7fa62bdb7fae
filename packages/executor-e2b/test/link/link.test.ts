import { spawnSync } from 'node:child_process'
import { type Frame, FramePort } from '@codeact/sandbox'
import { requirement } from '@codeact/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { Link, type LinkOptions } from '../../src/link/link.ts'
import { FarEnd } from './far-end.ts'

const python = await requirement('python', async () => {
  if (process.platform !== 'linux') throw new Error('the far end is a Linux machine')
  const { error, status } = spawnSync('python3', ['--version'])
  if (status !== 0) throw error ?? new Error('python3 does not run')
})

const QUICK = { answer: 500, outage: 2000, silence: 300, firstPause: 10, longestPause: 50 }
const ends: FarEnd[] = []
const links: Link[] = []

afterEach(async () => {
  for (const link of links.splice(0)) link.close()
  await Promise.all(ends.splice(0).map((end) => end.close()))
})

/** A link to a supervisor. `ask()` has it answer a request about a file, `frames` is all that it has said. */
async function linked(options: Partial<LinkOptions> = {}) {
  const far = new FarEnd()
  ends.push(far)
  const frames: Frame[] = []
  const port = new FramePort(
    (bytes) => link.write(bytes),
    (frame) => frames.push(frame),
  )
  const link = new Link(far, { receive: (bytes) => port.feed(bytes), patience: QUICK, ...options })
  links.push(link)
  await link.start(async (receive) => {
    const attachment = await far.attach(receive)
    await far.start()
    return attachment
  })
  const ask = (id: string, path = 'nothing'): void => {
    port.send({ type: 'file', id, body: { op: 'read', args: { path, offset: 0, length: 1 } } })
  }
  const answers = () => frames.filter(({ type }) => type === 'file').map(({ id }) => id)
  await expect.poll(() => frames[0]?.type, { timeout: 10_000 }).toBe('up')
  return { far, link, frames, ask, answers }
}

describe.skipIf(!python.isMet)(`a link ${python.reason}`, () => {
  it('carries frames in both directions, each once and in order', async () => {
    const { ask, answers } = await linked()
    const ids = Array.from({ length: 200 }, (_, n) => `f${n}`)
    for (const id of ids) ask(id)
    await expect.poll(answers).toEqual(ids)
  })

  it('sends all that has gathered at once, in one piece', async () => {
    const { far, ask, answers } = await linked()
    const before = far.sent.length
    for (let n = 0; n < 100; n++) ask(`f${n}`)
    await expect.poll(() => answers().length).toBe(100)
    expect(far.sent.length - before).toBeLessThanOrEqual(2)
  })

  it('looks for whoever is silent, and hears what was said meanwhile', async () => {
    const { far, ask, answers } = await linked()
    far.isSilent = true
    ask('unheard')
    await expect.poll(answers, { timeout: 5000 }).toEqual(['unheard'])
    expect(far.attached).toBeGreaterThan(1)
  })

  it('sends again what was accepted and never arrived', async () => {
    const { far, ask, answers } = await linked()
    far.isDeaf = true
    ask('lost')
    await expect.poll(() => far.sent.length).toBeGreaterThan(0)
    far.isDeaf = false
    await expect.poll(answers, { timeout: 5000 }).toEqual(['lost'])
  })

  it('exchanges a stream that has brought much for a new one, and loses nothing', async () => {
    const { far, ask, answers } = await linked({ longStream: 400 })
    const ids = Array.from({ length: 300 }, (_, n) => `f${n}`)
    for (const id of ids) {
      ask(id)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await expect.poll(answers, { timeout: 5000 }).toEqual(ids)
    expect(far.attached).toBeGreaterThan(1)
  })

  it('passes on what is long through a file, and leaves none', async () => {
    const { far, ask, answers } = await linked()
    const path = 'x'.repeat(600_000)
    ask('long', path)
    await expect.poll(answers, { timeout: 5000 }).toEqual(['long'])
    expect(far.sent.some((text) => / f in-0-\d+\./.test(text))).toBe(true)
    await expect(far.readFile('in-0-1')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('gives up who does not answer for too long, and knows what has arrived', async () => {
    const { far, link, ask, answers } = await linked()
    ask('arrives')
    await expect.poll(answers).toEqual(['arrives'])
    far.isDeaf = true
    ask('never')
    const { reason, detail, delivery } = await link.closed
    expect({ reason, detail }).toEqual({ reason: 'closed', detail: expect.stringContaining('the network is gone') })
    expect(delivery?.arrived).toBeGreaterThan(0)
    expect(delivery?.left).toBeGreaterThan(delivery?.arrived ?? 0)
  })

  it('comes to rest, and another host goes on with the same supervisor', async () => {
    const { far, link, ask, answers } = await linked()
    ask('first')
    await link.rest()
    // It has arrived; whoever is there hears the answer.
    const before = answers()
    const frames: Frame[] = []
    const port = new FramePort(
      (bytes) => second.write(bytes),
      (frame) => frames.push(frame),
    )
    const second = new Link(far, { receive: (bytes) => port.feed(bytes), session: 7, patience: QUICK })
    links.push(second)
    await second.connect()
    port.send({ type: 'hello' })
    const heard = () => [...before, ...frames.map(({ type, id }) => (type === 'file' ? id : type))]
    await expect.poll(heard).toEqual(['first', 'up'])
  })
})
