import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { requirement } from '@codeact/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ping } from '../src/calls.ts'
import { connectDocker } from '../src/connection.ts'
import { type Answers, fakeDaemon, listening } from './fake-daemon.ts'

const run = promisify(execFile)
const openssl = await requirement('openssl', () => run('openssl', ['version']))
const ANSWERS: Answers = { 'GET /_ping': (response) => response.end('OK') }
const patience = 400

const unavailable = (message: RegExp, hint: RegExp) => ({
  code: 'EXECUTOR_UNAVAILABLE',
  message: expect.stringMatching(message),
  hint: expect.stringMatching(hint),
})

let home: string
let env: { HOME: string; DOCKER_CONFIG: string }
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'codeact-home-'))
  env = { HOME: home, DOCKER_CONFIG: join(home, 'config') }
  await mkdir(env.DOCKER_CONFIG)
})
afterAll(() => rm(home, { recursive: true }))

function folderOf(kind: 'meta' | 'tls', context: string): string {
  return join(env.DOCKER_CONFIG, 'contexts', kind, createHash('sha256').update(context).digest('hex'))
}

async function writeContext(Name: string, docker: object): Promise<void> {
  const folder = folderOf('meta', Name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'meta.json'), JSON.stringify({ Name, Metadata: {}, Endpoints: { docker } }))
}

/** A folder with a program `ssh` that does this instead. */
async function fakeSsh(script: string): Promise<string> {
  const folder = await mkdtemp(join(home, 'bin-'))
  await writeFile(join(folder, 'ssh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return folder
}

describe('which Docker', () => {
  it('the option host, before all else', async () => {
    const [meant, other] = [await fakeDaemon(ANSWERS), await fakeDaemon(ANSWERS)]
    await connectDocker({ host: `unix://${meant.path}` }, { ...env, DOCKER_HOST: `unix://${other.path}` })
    expect([meant.calls, other.calls]).toEqual([['GET /_ping'], []])
  })

  it('DOCKER_HOST, before DOCKER_CONTEXT', async () => {
    const meant = await fakeDaemon(ANSWERS)
    await connectDocker({}, { ...env, DOCKER_HOST: `unix://${meant.path}`, DOCKER_CONTEXT: 'nowhere' })
    expect(meant.calls).toEqual(['GET /_ping'])
  })

  it('a context, by the option, by DOCKER_CONTEXT, and the one in use', async () => {
    const meant = await fakeDaemon(ANSWERS)
    await writeContext('lab', { Host: `unix://${meant.path}` })
    await connectDocker({ context: 'lab' }, { ...env, DOCKER_HOST: 'unix:///nowhere' })
    await connectDocker({}, { ...env, DOCKER_CONTEXT: 'lab' })
    await writeFile(join(env.DOCKER_CONFIG, 'config.json'), JSON.stringify({ currentContext: 'lab' }))
    onTestFinished(() => rm(join(env.DOCKER_CONFIG, 'config.json')))
    await connectDocker({ sockets: [] }, env)
    expect(meant.calls).toHaveLength(3)
  })

  it('the first of the usual sockets that answers', async () => {
    const [hanging, meant, last] = [await fakeDaemon({}), await fakeDaemon(ANSWERS), await fakeDaemon(ANSWERS)]
    const sockets = ['/no/such.sock', hanging.path, meant.path, last.path]
    await connectDocker({ sockets, patience }, env)
    await connectDocker({ context: 'default', sockets: [meant.path] }, env)
    expect([hanging.calls.length, meant.calls.length, last.calls.length]).toEqual([1, 2, 0])
  })

  it('a port, also of a host without a scheme', async () => {
    let pings = 0
    const port = await listening(
      createServer((_request, response) => {
        pings++
        response.end('OK')
      }),
    )
    for (const host of ['tcp://127.0.0.1', 'http://127.0.0.1', '127.0.0.1'])
      await connectDocker({ host: `${host}:${port}` }, env)
    expect(pings).toBe(3)
  })

  it('one behind ssh, to which it hands user, port and host', async () => {
    const meant = await fakeDaemon(ANSWERS)
    const arguments_ = join(home, 'ssh-arguments')
    const relay = `require('net').connect('${meant.path}', function () { process.stdin.pipe(this).pipe(process.stdout) })`
    const path = await fakeSsh(`echo "$@" > ${arguments_}; exec '${process.execPath}' -e "${relay}"`)
    await connectDocker({ host: 'ssh://me@lab:23' }, { ...env, PATH: path })
    expect(meant.calls).toEqual(['GET /_ping'])
    expect(await readFile(arguments_, 'utf8')).toMatch(/BatchMode=yes .*-l me -p 23 -- lab docker system dial-stdio$/m)
  })

  it('and never one that the environment of this process would have, when another is meant', async () => {
    const meant = await fakeDaemon(ANSWERS)
    vi.stubEnv('DOCKER_HOST', 'tcp://127.0.0.1:1')
    vi.stubEnv('DOCKER_CERT_PATH', '/no/such/folder')
    onTestFinished(() => void vi.unstubAllEnvs())
    await connectDocker({ host: `unix://${meant.path}` })
    expect(meant.calls).toEqual(['GET /_ping'])
    expect(process.env.DOCKER_HOST).toBe('tcp://127.0.0.1:1')
  })
})

describe('a Docker that cannot be had', () => {
  it('because there is none', async () => {
    const error = unavailable(/found no Docker/, /install.*DOCKER_HOST/)
    await expect(connectDocker({ sockets: [] }, env)).rejects.toMatchObject(error)
  })

  it('because nothing listens any more', async () => {
    const daemon = await fakeDaemon(ANSWERS)
    await rm(daemon.path)
    await writeFile(daemon.path, '')
    const error = unavailable(/^Docker at unix:.*\(DOCKER_HOST\) does not answer: connect ECONNREFUSED/, /Start it: /)
    await expect(connectDocker({}, { ...env, DOCKER_HOST: `unix://${daemon.path}` })).rejects.toMatchObject(error)
  })

  it('because its socket is not there', async () => {
    const error = unavailable(/does not answer: connect ENOENT/, /Start it: /)
    await expect(connectDocker({ host: 'unix:///no/such.sock' }, env)).rejects.toMatchObject(error)
  })

  it('because it hangs', async () => {
    const { path } = await fakeDaemon({})
    const error = { ...unavailable(/did not answer at unix:.* within 0\.4 s/, /docker ps/), isRetryable: true }
    await expect(connectDocker({ host: `unix://${path}`, patience }, env)).rejects.toMatchObject(error)
    await expect(connectDocker({ sockets: [path], patience }, env)).rejects.toMatchObject(error)
  })

  it('because the port is closed', async () => {
    const error = unavailable(/tcp:\/\/127\.0\.0\.1:1 .*ECONNREFUSED/, /Check host and port/)
    await expect(connectDocker({ host: 'tcp://127.0.0.1:1' }, env)).rejects.toMatchObject(error)
  })

  it('because the context is unknown, with the names of those that are there', async () => {
    await writeContext('colima', { Host: 'unix:///no/such.sock' })
    const error = unavailable(/no context "nope", which DOCKER_CONTEXT names/, /There are: default, colima/)
    await expect(connectDocker({}, { ...env, DOCKER_CONTEXT: 'nope' })).rejects.toMatchObject(error)
  })

  it('because ssh is refused, in the words of ssh', async () => {
    const path = await fakeSsh('echo "me@lab: Permission denied (publickey)." >&2; exit 255')
    const error = unavailable(
      /Permission denied \(publickey\)/,
      /without a question: ssh .*-l me -p 23 -- lab docker version/,
    )
    await expect(connectDocker({ host: 'ssh://me@lab:23' }, { ...env, PATH: path })).rejects.toMatchObject(error)
  })

  it('because there is no ssh', async () => {
    const error = unavailable(/ssh:\/\/lab .*ENOENT/, /ssh/)
    await expect(connectDocker({ host: 'ssh://lab' }, { ...env, PATH: '/no/such' })).rejects.toMatchObject(error)
  })

  it.each(['', '/var/run/docker.sock', 'unix://', 'fd://', 'tcp://', 'ftp://host', 'tcp://a b', 'tcp://host:port'])(
    'because %j is no host',
    async (host) => {
      await expect(connectDocker({ host }, env)).rejects.toMatchObject({ code: 'OPTION_INVALID' })
    },
  )

  it('because two are named', async () => {
    await expect(connectDocker({ host: 'tcp://127.0.0.1:1', context: 'lab' }, env)).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    })
  })

  it('because it was no longer wanted', async () => {
    const { path, calls } = await fakeDaemon({})
    for (const where of [{ host: `unix://${path}` }, { sockets: [path] }]) {
      const controller = new AbortController()
      const connecting = connectDocker({ ...where, signal: controller.signal }, env)
      const outcome = expect(connecting).rejects.toBe('enough')
      const before = calls.length
      await expect.poll(() => calls.length).toBeGreaterThan(before)
      controller.abort('enough')
      await outcome
    }
  })

  const isRoot = process.getuid?.() === 0
  it.skipIf(isRoot || process.platform === 'win32')(
    'because it is not ours to use (as root everything is)',
    async () => {
      const { path } = await fakeDaemon(ANSWERS)
      await run('chmod', ['000', path])
      const error = unavailable(/not yours to use: connect EACCES/, /usermod -aG docker/)
      await expect(connectDocker({ host: `unix://${path}` }, env)).rejects.toMatchObject(error)
    },
  )
})

describe.skipIf(!openssl.isMet)(`with TLS ${openssl.reason}`, () => {
  let certificates: string
  let port: number
  beforeAll(async () => {
    certificates = join(home, 'certificates')
    await mkdir(certificates)
    const files = ['-keyout', join(certificates, 'key.pem'), '-out', join(certificates, 'cert.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
    await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...files, ...subject])
    await writeFile(join(certificates, 'ca.pem'), await readFile(join(certificates, 'cert.pem')))
    const [key, cert] = await Promise.all(['key.pem', 'cert.pem'].map((name) => readFile(join(certificates, name))))
    // It lets those in only who have the same certificate.
    const server = createTlsServer(
      { key, cert, ca: cert, requestCert: true, rejectUnauthorized: true },
      (_request, response) => {
        response.end('OK')
      },
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as { port: number }).port
    return () => void server.close()
  })

  it('DOCKER_TLS_VERIFY and DOCKER_CERT_PATH are heeded', async () => {
    const tls = { DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: certificates }
    await connectDocker({}, { ...env, ...tls, DOCKER_HOST: `tcp://127.0.0.1:${port}` })
    await connectDocker({ host: `https://127.0.0.1:${port}` }, { ...env, DOCKER_CERT_PATH: certificates })
  })

  it('the certificates of a context are', async () => {
    const folder = join(folderOf('tls', 'secure'), 'docker')
    await mkdir(folder, { recursive: true })
    for (const name of ['ca.pem', 'cert.pem', 'key.pem']) {
      await writeFile(join(folder, name), await readFile(join(certificates, name)))
    }
    await writeContext('secure', { Host: `tcp://127.0.0.1:${port}`, SkipTLSVerify: false })
    const docker = await connectDocker({ context: 'secure' }, env)
    expect(await ping(docker, AbortSignal.timeout(5000))).toBeTruthy()
  })

  it('a daemon that nobody vouches for is refused, unless a context says that any will do', async () => {
    const folder = join(folderOf('tls', 'any'), 'docker')
    await mkdir(folder, { recursive: true })
    for (const name of ['cert.pem', 'key.pem'])
      await writeFile(join(folder, name), await readFile(join(certificates, name)))
    await writeContext('any', { Host: `tcp://127.0.0.1:${port}`, SkipTLSVerify: true })
    await connectDocker({ context: 'any' }, env)
    await writeContext('any', { Host: `tcp://127.0.0.1:${port}`, SkipTLSVerify: false })
    const error = unavailable(/is not trusted: self-signed certificate/, /ca\.pem/)
    await expect(connectDocker({ context: 'any' }, env)).rejects.toMatchObject(error)
  })

  it('one side with it and one without is told', async () => {
    const error = unavailable(/one of them uses TLS/, /DOCKER_TLS_VERIFY/)
    const plain = await listening(createServer((_request, response) => response.end('OK')))
    await expect(connectDocker({ host: `https://127.0.0.1:${plain}` }, env)).rejects.toMatchObject(error)
  })

  it('files that are missing are named', async () => {
    const tls = { ...env, DOCKER_TLS_VERIFY: '1', DOCKER_HOST: 'tcp://127.0.0.1:1' }
    const error = unavailable(/not in \/no\/such/, /ca\.pem, cert\.pem and key\.pem/)
    await expect(connectDocker({}, { ...tls, DOCKER_CERT_PATH: '/no/such' })).rejects.toMatchObject(error)
    const half = join(home, 'half')
    await mkdir(half)
    await writeFile(join(half, 'cert.pem'), '')
    await expect(connectDocker({}, { ...tls, DOCKER_CERT_PATH: half })).rejects.toMatchObject(
      unavailable(/half\/key\.pem is missing/, /go together/),
    )
  })
})

it('what answers at the port without being Docker is refused in time', async () => {
  const port = await listening(createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')) as never)
  await expect(connectDocker({ host: `tcp://127.0.0.1:${port}`, patience }, env)).rejects.toMatchObject({
    code: 'EXECUTOR_UNAVAILABLE',
  })
})
