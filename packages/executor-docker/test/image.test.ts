import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Progress } from '@codeact/spec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveImage } from '../src/image.ts'
import { engine } from './containers.ts'
import { type Answers, fakeDaemon, HASTE, json, lines } from './fake-daemon.ts'
import { docker, IMAGE } from './requirements.ts'

const NAME = 'python:3.13-slim'
const missing = json({ message: `No such image: ${NAME}` }, 404)
const found = json({ Id: 'sha256:abc', Config: { Volumes: { '/data': {} } } })

/** A daemon that has the image once it was pulled. */
function pulling(pull: Answers[string]): Answers {
  let isHere = false
  return {
    'GET /images/json': (response, request) => (isHere ? found : missing)(response, request),
    'POST /images/create': (response, request) => {
      isHere = true
      pull?.(response, request)
    },
  }
}

const unavailable = (message: RegExp, hint: RegExp) => ({
  code: 'EXECUTOR_UNAVAILABLE',
  message: expect.stringMatching(message),
  hint: expect.stringMatching(hint),
})

let env: { DOCKER_CONFIG: string }
beforeAll(async () => {
  env = { DOCKER_CONFIG: await mkdtemp(join(tmpdir(), 'codeact-config-')) }
})
afterAll(() => rm(env.DOCKER_CONFIG, { recursive: true }))

describe.skipIf(!docker.isMet)(`an image that is here ${docker.reason}`, () => {
  it('is found by name and by id, which stays the same', async () => {
    const byName = await resolveImage(await engine(), IMAGE)
    expect(byName).toEqual({ id: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), volumes: [] })
    expect(await resolveImage(await engine(), byName.id)).toEqual(byName)
    expect(await resolveImage(await engine(), byName.id.slice('sha256:'.length, 22))).toEqual(byName)
  })

  it('is not there under an id that nobody has', async () => {
    const resolving = resolveImage(await engine(), `sha256:${'0'.repeat(64)}`)
    await expect(resolving).rejects.toMatchObject(unavailable(/no image sha256:0+: it is an id/, /docker images/))
  })

  // A registry of this machine, which is none.
  it('cannot be pulled where no registry answers', async () => {
    const resolving = resolveImage(await engine(), '127.0.0.1:1/nobody/nothing:1', { env })
    await expect(resolving).rejects.toMatchObject({
      ...unavailable(/cannot be pulled: the registry cannot be reached .*refused/, /docker pull .*docker images/),
      isRetryable: true,
    })
  })
})

describe('a name that is none', () => {
  it.each([
    '',
    ' ',
    'a b',
    'UPPER',
    '../x',
    'a/../b',
    '/a',
    'a//b',
    'a:',
    'a:b:c',
    'a@sha256:1',
    'x?y=1',
    'x#y',
    'x%2e',
    'a\nb',
    '-x',
    'x'.repeat(600),
  ])('is refused before anything is asked: %j', async (name) => {
    const daemon = await fakeDaemon({})
    await expect(resolveImage(daemon.docker, name, { patience: HASTE })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    })
    expect(daemon.calls).toEqual([])
  })

  it('is refused when Docker says so', async () => {
    const daemon = await fakeDaemon({ 'GET /images/json': json({ message: 'invalid reference format' }, 400) })
    await expect(resolveImage(daemon.docker, NAME)).rejects.toMatchObject({ code: 'OPTION_INVALID' })
  })
})

describe('a missing image', () => {
  it('is pulled, and how far it is told', async () => {
    const detail = (current: number, total: number) => ({ status: 'Downloading', progressDetail: { current, total } })
    const daemon = await fakeDaemon(
      pulling(
        lines([
          { status: 'Pulling from library/python', id: '3.13-slim' },
          { status: 'Pulling fs layer', id: 'aaa' },
          { status: 'Pulling fs layer', id: 'bbb' },
          { id: 'aaa', ...detail(10e6, 40e6) },
          { status: 'Already exists', id: 'ccc' },
          { id: 'bbb', ...detail(1e6, 2e6) },
          { status: 'Download complete', id: 'bbb' },
          { status: 'Pull complete', id: 'bbb' },
          { status: 'Extracting', id: 'aaa', progressDetail: { current: 5, total: 40e6 } },
          { status: 'Pull complete', id: 'aaa' },
          { status: 'Digest: sha256:123' },
        ]),
      ),
    )
    const told: Progress[] = []
    const onProgress = (progress: Progress): void => void told.push(progress)
    expect(await resolveImage(daemon.docker, NAME, { onProgress, env })).toEqual({
      id: 'sha256:abc',
      volumes: ['/data'],
    })
    expect(told).toEqual([
      { message: `Pulling the image ${NAME}, which is not here yet` },
      { message: `Pulling the image ${NAME}: 1 of 3 layers, 10 of 40 MB` },
      { message: `Pulling the image ${NAME}: 2 of 3 layers, 12 of 42 MB`, fraction: 12 / 42 },
      { message: `Pulling the image ${NAME}: 3 of 3 layers, 42 of 42 MB`, fraction: 1 },
    ])
  })

  it.each([
    ['python', 'fromImage=python&tag=latest'],
    ['python:3.13', 'fromImage=python%3A3.13'],
    ['localhost:5000/team/image', 'fromImage=localhost%3A5000%2Fteam%2Fimage&tag=latest'],
    [`python@sha256:${'0'.repeat(64)}`, `fromImage=python%40sha256%3A${'0'.repeat(64)}`],
  ])('%s is one, not all of its repository', async (name, query) => {
    let asked = ''
    const daemon = await fakeDaemon(
      pulling((response, request) => {
        asked = request.url ?? ''
        response.end()
      }),
    )
    await resolveImage(daemon.docker, name, { env })
    expect(asked.slice(asked.indexOf('?') + 1)).toBe(query)
  })

  it.each<[what: string, pull: Answers[string], error: object]>([
    [
      'without a network',
      json(
        { message: 'Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io: no such host' },
        500,
      ),
      {
        ...unavailable(/cannot be reached \(Get .*no such host\)/, /docker pull python:3\.13-slim/),
        isRetryable: true,
      },
    ],
    [
      'unknown to the registry',
      json({ message: 'manifest for python:3.13-slim not found: manifest unknown' }, 404),
      { ...unavailable(/none of that name for this machine/, /docker build -t/), isRetryable: false },
    ],
    [
      'that is kept from strangers',
      json({ message: "pull access denied for python, repository does not exist or may require 'docker login'" }, 404),
      unavailable(/wants to know who asks/, /docker login.*credential helpers/),
    ],
    [
      'that fails midway',
      lines([
        { status: 'Downloading', id: 'a' },
        { errorDetail: {}, error: 'unexpected EOF' },
      ]),
      { ...unavailable(/unexpected EOF/, /docker pull/), isRetryable: true },
    ],
    [
      'for which the disk is too small',
      lines([{ error: 'write /var/lib/docker/tmp/x: no space left on device' }]),
      unavailable(/went wrong midway \(write .*no space left/, /docker pull/),
    ],
    [
      'with a name that the daemon refuses',
      json({ message: 'invalid reference format' }, 400),
      { code: 'OPTION_INVALID' },
    ],
    [
      'of which Docker loses all track',
      lines([{ status: 'x' }], false),
      { ...unavailable(/did not go on pulling/, /docker ps/) },
    ],
    ['for which Docker never answers', () => {}, unavailable(/did not go on pulling/, /docker ps/)],
    [
      'for which Docker goes away',
      (response) => void response.socket?.destroy(),
      unavailable(/connection to Docker was lost/, /docker ps/),
    ],
    [
      'during which Docker goes away',
      (response) => {
        response.write('{"status":"Downloading","id":"a"}\n')
        setTimeout(() => response.socket?.destroy(), 20)
      },
      unavailable(/connection to Docker was lost/, /docker ps/),
    ],
    ['that brings nothing', undefined, unavailable(/did not go on/, /./)],
  ])('%s', async (_what, pull, error) => {
    const daemon = await fakeDaemon(pulling(pull))
    await expect(resolveImage(daemon.docker, NAME, { env, patience: HASTE })).rejects.toMatchObject(error)
  })

  it('that is not here after all is told', async () => {
    const daemon = await fakeDaemon({ 'GET /images/json': missing, 'POST /images/create': lines([]) })
    await expect(resolveImage(daemon.docker, NAME, { env })).rejects.toMatchObject(
      unavailable(/pulled, and is not there/, /./),
    )
  })

  it.each(['GET /images/json', 'POST /images/create'])(
    'can be given up at %s, and the daemon hears of it',
    async (where) => {
      let isCut = false
      const hang: Answers[string] = (response) => {
        response.on('close', () => {
          isCut = true
        })
        if (where.startsWith('POST')) response.writeHead(200).write('{"status":"Downloading","id":"a"}\n')
      }
      const daemon = await fakeDaemon({ 'GET /images/json': missing, [where]: hang })
      const controller = new AbortController()
      const resolving = resolveImage(daemon.docker, NAME, { env, signal: controller.signal })
      const outcome = expect(resolving).rejects.toBe('enough')
      await expect.poll(() => daemon.calls).toContain(where)
      controller.abort('enough')
      await outcome
      await expect.poll(() => isCut).toBe(true)
    },
  )
})

describe('the login to a registry', () => {
  const auth = Buffer.from('me:pass:word').toString('base64')

  async function credentialsFor(name: string, config: unknown): Promise<unknown> {
    await writeFile(
      join(env.DOCKER_CONFIG, 'config.json'),
      typeof config === 'string' ? config : JSON.stringify(config),
    )
    let header: string | undefined
    const daemon = await fakeDaemon(
      pulling((response, request) => {
        header = request.headers['x-registry-auth'] as string | undefined
        response.end()
      }),
    )
    await resolveImage(daemon.docker, name, { env })
    return header === undefined ? undefined : JSON.parse(Buffer.from(header, 'base64url').toString())
  }

  it("goes along for Docker's own", async () => {
    const serveraddress = 'https://index.docker.io/v1/'
    expect(await credentialsFor('python:1', { auths: { [serveraddress]: { auth } } })).toEqual({
      ...{ username: 'me', password: 'pass:word', serveraddress },
    })
  })

  it('goes along for another, and no further', async () => {
    const config = { auths: { 'registry.example:5000': { auth }, 'https://old.example/v1/': { identitytoken: 'abc' } } }
    expect(await credentialsFor('registry.example:5000/a/b:1', config)).toMatchObject({ username: 'me' })
    expect(await credentialsFor('old.example/b:1', config)).toEqual({
      ...{ identitytoken: 'abc', serveraddress: 'https://old.example/v1/' },
    })
    for (const name of ['python:1', 'registry.example/a:1', 'evil.example/registry.example:1']) {
      expect(await credentialsFor(name, config)).toBeUndefined()
    }
  })

  it.each([
    [{ auths: { 'a.example': {} }, credsStore: 'desktop' }],
    ['no json'],
    ['null'],
    [{ auths: { 'a.example': { auth: '!' } } }],
  ])('that is not plainly there is left to docker pull: %j', async (config) => {
    expect(await credentialsFor('a.example/x:1', config)).toBeUndefined()
  })
})
