import { describe, expect, it } from 'vitest'
import { startContainer } from '../src/container.ts'
import type { ContainerEnd } from '../src/container-end.ts'
import { type Answers, fakeDaemon, HASTE, json, lines } from './fake-daemon.ts'

const create = { name: 'codeact_test', Image: 'x' }
const silent = { stdout: () => {}, stderr: () => {} }
const gone = json({ message: 'No such container: abc' }, 404)

const die = (exitCode: number) => ({ Action: 'die', Actor: { Attributes: { exitCode: String(exitCode) } } })

/** A daemon that does as it is told. */
const GOOD: Answers = {
  'POST /containers/create': json({ Id: 'abc' }, 201),
  'POST /containers/attach': () => {},
  'POST /containers/start': (response) => response.writeHead(204).end(),
  'DELETE /containers': (response) => response.writeHead(204).end(),
}

async function started(more: Answers) {
  const daemon = await fakeDaemon({ ...GOOD, ...more })
  const container = await startContainer(daemon.docker, create, silent, undefined, HASTE)
  return { daemon, container, stream: await daemon.attached }
}

describe('a daemon that hangs', () => {
  it.each(['create', 'attach', 'start'])('at %s is given up, and what was made is removed', async (step) => {
    const answers = { ...GOOD }
    delete answers[`POST /containers/${step}`]
    const daemon = await fakeDaemon(answers)
    await expect(startContainer(daemon.docker, create, silent, undefined, HASTE)).rejects.toMatchObject({
      code: 'EXECUTOR_UNAVAILABLE',
      message: expect.stringMatching(/^Docker did not (create|attach|start).* within 0\.4 s\.$/),
      isRetryable: true,
    })
    expect(daemon.calls).toContain('DELETE /containers')
  })

  it.each(['create', 'attach', 'start'])('at %s can be aborted', async (step) => {
    const answers = { ...GOOD }
    delete answers[`POST /containers/${step}`]
    const daemon = await fakeDaemon(answers)
    const controller = new AbortController()
    const starting = startContainer(daemon.docker, create, silent, controller.signal, {
      ...HASTE,
      attach: 60_000,
      start: 60_000,
    })
    const outcome = expect(starting).rejects.toBe('enough')
    await expect.poll(() => daemon.calls).toContain(`POST /containers/${step}`)
    controller.abort('enough')
    await outcome
    await expect.poll(() => daemon.calls).toContain('DELETE /containers')
  })

  it('at the removal does not hold up close(), which says so', async () => {
    const { container } = await started({ 'DELETE /containers': undefined })
    await container.close()
    expect(await container.closed).toMatchObject({ reason: 'closed', error: { code: 'EXECUTOR_UNAVAILABLE' } })
  })

  it('at the question how a container ended leaves it unanswered, but not for long', async () => {
    const { container, stream } = await started({})
    stream.destroy()
    expect(await container.closed).toMatchObject({ reason: 'daemon', error: { code: 'EXECUTOR_UNAVAILABLE' } })
  })
})

describe('a container that is lost', () => {
  const ends: [what: string, answers: Answers, end: Partial<ContainerEnd>][] = [
    ['ended, and its events are known', { 'GET /events': lines([die(3)], false) }, { reason: 'exit', exitCode: 3 }],
    [
      'ended, and its events are forgotten',
      { 'GET /events': lines([]), 'GET /containers/json': json({ State: { Running: false, ExitCode: 139 } }) },
      { reason: 'signal', detail: 'SIGSEGV' },
    ],
    [
      'ended, and nothing is known of it',
      { 'GET /events': lines([], false), 'GET /containers/json': gone },
      { reason: 'removed' },
    ],
    [
      'runs on, out of reach',
      { 'GET /events': lines([], false), 'GET /containers/json': json({ State: { Running: true } }) },
      { reason: 'cut' },
    ],
  ]
  it.each(ends)('%s', async (_what, answers, end) => {
    const { container, stream } = await started(answers)
    stream.end()
    expect(await container.closed).toMatchObject(end)
  })

  it('is removed where it runs on', async () => {
    const { daemon, container, stream } = await started({
      'GET /events': lines([], false),
      'GET /containers/json': json({ State: { Running: true } }),
    })
    stream.destroy()
    await container.closed
    expect(daemon.calls).toContain('DELETE /containers')
  })

  it('with its daemon is told as such', async () => {
    const { daemon, container } = await started({})
    daemon.die()
    expect(await container.closed).toMatchObject({
      reason: 'daemon',
      error: { code: 'EXECUTOR_UNAVAILABLE', isRetryable: true },
    })
    await container.close()
  })

  it('for what it sends is closed and removed', async () => {
    const { daemon, container, stream } = await started({})
    stream.write('what a terminal would send')
    expect(await container.closed).toMatchObject({ reason: 'protocol', error: { code: 'PROTOCOL_ERROR' } })
    expect(daemon.calls).toContain('DELETE /containers')
  })
})

describe('a removal', () => {
  it('that somebody else has begun is waited for', async () => {
    let finish: () => void = () => {}
    const { daemon, container } = await started({
      'DELETE /containers': json({ message: 'removal of container abc is already in progress' }, 409),
      'POST /containers/wait': (response) => {
        finish = () => response.end('{"StatusCode":137}')
      },
    })
    let isClosed = false
    const closing = container.close().then(() => {
      isClosed = true
    })
    await expect.poll(() => daemon.calls).toContain('POST /containers/wait')
    expect(isClosed).toBe(false)
    finish()
    await closing
    expect(await container.closed).toEqual({ reason: 'closed', detail: 'it was closed' })
  })

  it('that is refused is told', async () => {
    const { container } = await started({ 'DELETE /containers': json({ message: 'device or resource busy' }, 500) })
    await container.close()
    expect(await container.closed).toMatchObject({
      error: { message: 'Docker could not remove the container: device or resource busy.' },
    })
  })
})

it('a container that could not be created leaves nothing to remove', async () => {
  const daemon = await fakeDaemon({ 'POST /containers/create': json({ message: 'No such image: x' }, 404) })
  await expect(startContainer(daemon.docker, create, silent, undefined, HASTE)).rejects.toMatchObject({
    code: 'EXECUTOR_UNAVAILABLE',
    message: 'Docker could not create a container: No such image: x.',
  })
  expect(daemon.calls).toEqual(['POST /containers/create'])
})
