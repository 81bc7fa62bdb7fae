import { CodeActError } from '@codeact/spec'
import { statusOf, wordsOf } from './docker-error.ts'
import type { Endpoint } from './endpoint.ts'
import { sshArguments } from './ssh.ts'

const START: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'open -a Docker',
  linux: 'sudo systemctl start docker',
  win32: 'start Docker Desktop',
}
const start = START[process.platform] ?? START.linux

/** No Docker anywhere. */
export function nothingFound(): CodeActError {
  return new CodeActError('EXECUTOR_UNAVAILABLE', 'docker() found no Docker on this machine.', {
    hint: `Start it: ${start}. Install it: https://docs.docker.com/engine/install. Where it listens elsewhere, say so with DOCKER_HOST or docker({ host }).`,
  })
}

/** A Docker that was named, or exists, and cannot be used. */
export function unreachable(endpoint: Endpoint, error: unknown): CodeActError {
  if (CodeActError.is(error)) return error
  const [what, hint] = explain(endpoint, error)
  const message = `Docker at ${endpoint.url} (${endpoint.namedBy}) ${what}: ${wordsOf(error)}.`
  return new CodeActError('EXECUTOR_UNAVAILABLE', message, { hint, cause: error, isRetryable: true })
}

function explain(endpoint: Endpoint, error: unknown): [what: string, hint: string] {
  const { code = '' } = error as NodeJS.ErrnoException
  if (endpoint.kind === 'ssh') {
    const command = ['ssh', ...sshArguments(endpoint).slice(0, -1), 'docker version'].join(' ')
    return ['cannot be reached', `This must work without a question: ${command}`]
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return [
      'is not yours to use',
      'sudo usermod -aG docker $USER, then log in again; or set up a Docker of your own: dockerd-rootless-setuptool.sh install',
    ]
  }
  if (speaksOtherwise(error)) {
    return [
      'and this program do not speak the same: one of them uses TLS',
      'With TLS: export DOCKER_TLS_VERIFY=1 DOCKER_CERT_PATH=/folder/of/ca.pem. Without: unset DOCKER_TLS_VERIFY.',
    ]
  }
  if (/CERT|SIGNATURE|TLS|SSL|ISSUER|ALTNAME/.test(code)) {
    return [
      'is not trusted',
      'export DOCKER_CERT_PATH=/folder with the ca.pem that signed for it, and your cert.pem and key.pem.',
    ]
  }
  if (endpoint.kind === 'socket') return ['does not answer', `Start it: ${start}. Or name another: docker({ host }).`]
  return ['does not answer', 'Check host and port, and that Docker listens there: `docker -H HOST info`.']
}

/** One side uses TLS and the other does not. */
function speaksOtherwise(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return statusOf(error) === 400 || code === 'EPROTO' || code.startsWith('HPE_') || code.includes('WRONG_VERSION')
}
