import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { Environment } from './config-folder.ts'

/** A machine with Docker, as `ssh` is told of it; what is not given, its settings say. */
export interface SshHost {
  readonly hostname: string
  readonly port: number | undefined
  readonly username: string | undefined
}

const LAST_WORDS = 500

/**
 * Reaches a Docker through the system's own `ssh`, as the `docker` command does, so that its settings, keys and known hosts hold.
 * Each connection is one `ssh`, and ends with it.
 */
export class SshAgent extends Agent {
  readonly #host: SshHost
  readonly #env: Environment

  constructor(host: SshHost, env: Environment) {
    super({ keepAlive: false })
    this.#host = host
    this.#env = env
  }

  override createConnection(): Duplex {
    return new SshStream(this.#host, this.#env)
  }
}

/** Never asks anything, of anybody. */
export function sshArguments({ hostname, port, username }: SshHost): string[] {
  return [
    ...['-T', '-o', 'BatchMode=yes', '-o', 'ConnectTimeout=15'],
    ...(username === undefined ? [] : ['-l', username]),
    ...(port === undefined ? [] : ['-p', String(port)]),
    ...['--', hostname, 'docker system dial-stdio'],
  ]
}

/** One `ssh` as a stream, which ends when it does: only then is it known whether all went well. */
class SshStream extends Duplex {
  readonly #child: ChildProcessWithoutNullStreams
  #lastWords = ''

  constructor(host: SshHost, env: Environment) {
    super()
    this.#child = spawn('ssh', sshArguments(host), { env: { ...env }, windowsHide: true })
    const { stdin, stdout, stderr } = this.#child
    stdout.on('data', (bytes: Buffer) => {
      if (!this.push(bytes)) stdout.pause()
    })
    stderr.on('data', (bytes: Buffer) => {
      this.#lastWords = (this.#lastWords + bytes.toString()).slice(-LAST_WORDS)
    })
    // What can no longer be written is told by the end.
    stdin.on('error', () => {})
    this.#child.once('error', (error) => this.destroy(error))
    this.#child.once('close', (status) => this.#end(status))
  }

  ref(): void {
    for (const held of this.#held()) held.ref()
  }

  unref(): void {
    for (const held of this.#held()) held.unref()
  }

  override _read(): void {
    this.#child.stdout.resume()
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#child.stdin.write(bytes, () => done())
  }

  override _final(done: () => void): void {
    this.#child.stdin.end(() => done())
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#child.kill()
    done(error)
  }

  #end(status: number | null): void {
    if (status === 0) this.push(null)
    else this.destroy(new Error(this.#lastWords.trim() || `ssh ended with ${status}`))
  }

  #held(): { ref(): void; unref(): void }[] {
    const { stdin, stdout, stderr } = this.#child as unknown as Record<'stdin' | 'stdout' | 'stderr', Socket>
    return [this.#child, stdin, stdout, stderr]
  }
}
