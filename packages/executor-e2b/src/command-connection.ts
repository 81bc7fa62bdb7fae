import type { ChannelEnd } from '@codeact/sandbox'
import { type CommandHandle, Sandbox } from '@e2b/code-interpreter'
import { e2bError, isNetwork, sandboxGone } from './e2b-error.ts'
import type { Attachment, Connection } from './link/connection.ts'
import { MOST_BYTES } from './link/inbox.ts'
import { type Heard, programFolder } from './program.ts'
import { readBounded } from './read-bounded.ts'
import { nameOf } from './sdk-error.ts'
import type { Connection as Account } from './settings.ts'

const LAST_WORDS = 2000
/** The program came to an end of itself. */
const ENDED = new Error('it ended')
/** A call that takes longer is given up, and made again. */
const CALL_MS = 15_000
const FILE_MS = 60_000

/** The program in a sandbox, as a link needs it: its input and output by `commands`, its files by `files`. */
export class CommandConnection implements Connection {
  readonly #sandbox: Sandbox
  readonly #account: Account
  readonly #folder: string
  /** Whether the sandbox's time is up, for all that is known here. */
  readonly #isExpired: () => boolean
  #pid: number
  #lastWords = ''

  /** `pid` where the program runs already. */
  constructor(sandbox: Sandbox, account: Account, token: string, isExpired: () => boolean, pid = 0) {
    this.#sandbox = sandbox
    this.#account = account
    this.#folder = programFolder(token)
    this.#isExpired = isExpired
    this.#pid = pid
  }

  get pid(): number {
    return this.#pid
  }

  /** What the program has written to its standard error, the end of it. */
  get lastWords(): string {
    return this.#lastWords.trim()
  }

  async begin(start: (heard: Heard) => Promise<CommandHandle>, receive: (text: string) => void): Promise<Attachment> {
    const handle = await start(this.#heard(receive))
    this.#pid = handle.pid
    return attachmentOf(handle)
  }

  async attach(receive: (text: string) => void): Promise<Attachment> {
    const how = { timeoutMs: 0, requestTimeoutMs: CALL_MS, ...this.#heard(receive) }
    return attachmentOf(await this.#sandbox.commands.connect(this.#pid, how))
  }

  send(text: string): Promise<void> {
    return this.#sandbox.commands.sendStdin(this.#pid, text, { requestTimeoutMs: CALL_MS })
  }

  async writeFile(name: string, bytes: Uint8Array): Promise<void> {
    const data = new Blob([new Uint8Array(bytes)])
    await this.#sandbox.files.write(`${this.#folder}/${name}`, data, { requestTimeoutMs: FILE_MS })
  }

  readFile(name: string): Promise<Uint8Array> {
    return readBounded(this.#sandbox, `${this.#folder}/${name}`, MOST_BYTES)
  }

  async judge(failure: unknown): Promise<ChannelEnd | undefined> {
    const name = nameOf(failure)
    if (failure === ENDED || name === 'CommandExitError') return this.#programEnd(failure)
    if (name === 'AuthenticationError') {
      const error = e2bError({ what: 'reach the sandbox', apiKey: this.#account.apiKey }, failure)
      return { reason: 'closed', detail: error.message.replace(/\.$/, ''), error }
    }
    const end = await this.#sandboxEnd()
    if (end !== undefined) return end
    return name === 'NotFoundError' ? this.#programEnd(undefined) : undefined
  }

  #programEnd(failure: unknown): ChannelEnd {
    const { exitCode } = (failure ?? {}) as { exitCode?: number }
    const how = exitCode === undefined ? 'its supervisor ended' : `its supervisor ended with exit code ${exitCode}`
    const words = this.lastWords === '' ? '' : `: ${this.lastWords}`
    return { reason: 'exit', detail: `the sandbox is gone, and its files with it (${how}${words})` }
  }

  /** Nothing where it lives, or where nobody can tell. One that somebody has put to rest is woken. */
  async #sandboxEnd(): Promise<ChannelEnd | undefined> {
    const { sandboxId } = this.#sandbox
    try {
      const { state } = await Sandbox.getInfo(sandboxId, { ...this.#account, requestTimeoutMs: CALL_MS, retries: 0 })
      if (state === 'paused') await this.#sandbox.connect({ requestTimeoutMs: CALL_MS })
      return undefined
    } catch (error) {
      if (nameOf(error) !== 'SandboxNotFoundError' || isNetwork(error)) return undefined
      const why = this.#isExpired()
        ? 'its time was up'
        : 'it was killed from outside, or reached the longest life that the plan allows'
      return {
        reason: 'closed',
        detail: `the sandbox is gone, and its files with it: ${why}`,
        error: sandboxGone(sandboxId, why),
      }
    }
  }

  #heard(receive: (text: string) => void): Heard {
    return {
      onStdout: receive,
      onStderr: (text) => {
        this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS)
      },
    }
  }
}

function attachmentOf(handle: CommandHandle): Attachment {
  const ended = handle.wait().then(
    () => ENDED,
    (error: unknown) => error,
  )
  return { ended, detach: () => void handle.disconnect() }
}
