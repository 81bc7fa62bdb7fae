import { setTimeout as sleep } from 'node:timers/promises'
import { type ChannelEnd, type Place, thisOwner } from '@codeact/sandbox'
import { type CommandHandle, Sandbox } from '@e2b/code-interpreter'
import { forgetAtExit, killAtExit } from './at-exit.ts'
import { CommandConnection } from './command-connection.ts'
import { e2bError, sandboxGone } from './e2b-error.ts'
import { Lease } from './lease.ts'
import { Link } from './link/link.ts'
import { OWNER_FILE } from './owner-metadata.ts'
import { type Heard, programFolder } from './program.ts'
import { resumeId } from './resume-id.ts'
import { nameOf } from './sdk-error.ts'
import type { Settings } from './settings.ts'

/** What is not yet known to be killed is tried again after these times. */
const KILL_PAUSES_MS = [200, 1000, 3000]
const CALL_MS = 15_000
/** In a sandbox that is at rest nobody is at home; whoever goes on with it says so. */
const NOBODY = 'at rest'

export interface Inhabited {
  readonly sandbox: Sandbox
  readonly settings: Settings
  readonly token: string
  /** Whether it was made by us, and ends with us. */
  readonly isOwn: boolean
  readonly receive: (bytes: Uint8Array) => void
}

/** A sandbox in E2B's cloud with our program in it. */
export class CloudPlace implements Place {
  readonly closed: Promise<ChannelEnd>
  readonly #at: Inhabited
  readonly #lease: Lease
  readonly #connection: CommandConnection
  readonly #link: Link
  #ending: Promise<void> | undefined

  /** Begins anew: `start` starts the program. */
  static async start(at: Inhabited, start: (heard: Heard) => Promise<CommandHandle>): Promise<CloudPlace> {
    const place = new CloudPlace(at, {})
    try {
      await place.#link.start((receive) => place.#connection.begin(start, receive))
      return place
    } catch (error) {
      await place.close()
      throw error
    }
  }

  /** Goes on with a program that runs. Rejects where it does not any more. */
  static async resume(at: Inhabited, pid: number): Promise<CloudPlace> {
    const place = new CloudPlace(at, { pid, session: Date.now() })
    await at.sandbox.files.write(OWNER_FILE, JSON.stringify(await thisOwner()))
    await place.#link.connect()
    const end = await Promise.race([place.closed, sleep(0)])
    if (end === undefined) return place
    throw end.error ?? sandboxGone(at.sandbox.sandboxId, end.detail)
  }

  private constructor(at: Inhabited, { pid, session }: { pid?: number; session?: number }) {
    const { sandbox, settings, token } = at
    this.#at = at
    this.#lease = new Lease(settings.idleMs, (ms) => this.#extend(ms))
    if (!settings.keepAlive) this.#lease.stop()
    this.#connection = new CommandConnection(sandbox, settings.connection, token, () => this.#lease.isOver, pid)
    this.#link = new Link(this.#connection, { receive: at.receive, session })
    if (at.isOwn) killAtExit(sandbox.sandboxId, settings.connection)
    this.closed = this.#link.closed
    // Whatever it was that ended it: what is left costs money.
    void this.closed.then(() => this.close())
  }

  get sandbox(): Sandbox {
    return this.#at.sandbox
  }

  get token(): string {
    return this.#at.token
  }

  get roundTripMs(): number {
    return this.#link.roundTripMs
  }

  write(bytes: Uint8Array): void {
    this.#lease.use()
    this.#link.write(bytes)
  }

  /** Pools are refused: there is no such thing as an idle sandbox here. */
  setIdle(): void {}

  setBusy(isBusy: boolean): void {
    this.#lease.setBusy(isBusy)
  }

  /** What is on its way arrives first; then the streams are let go, since they would not survive. */
  async suspend(): Promise<string> {
    const { sandbox, settings, token } = this.#at
    const { sandboxId } = sandbox
    try {
      await this.#link.rest()
      await sandbox.files.write(OWNER_FILE, NOBODY)
      await sandbox.pause()
    } catch (error) {
      void this.#link.connect()
      throw e2bError({ what: 'suspend the sandbox', apiKey: settings.connection.apiKey, sandboxId }, error)
    }
    this.#lease.stop()
    forgetAtExit(sandboxId)
    this.#ending = Promise.resolve()
    this.#link.close()
    return resumeId({ sandboxId, pid: this.#connection.pid, token })
  }

  close(): Promise<void> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  async #end(): Promise<void> {
    this.#lease.stop()
    this.#link.close()
    if (this.#at.isOwn) await killSandbox(this.#at)
    else await this.#leave()
  }

  /** What is somebody else's stays, without us. */
  async #leave(): Promise<void> {
    const { sandbox, token } = this.#at
    const how = { requestTimeoutMs: CALL_MS }
    // At the end of its input the program ends all that the code has started, and itself.
    await sandbox.commands.closeStdin(this.#connection.pid, how).catch(() => {})
    await sandbox.files.remove(programFolder(token), how).catch(() => {})
  }

  /** Of a sandbox that is not ours the time is never made shorter. */
  #extend(ms: number): Promise<unknown> {
    const { sandbox, isOwn } = this.#at
    const how = { requestTimeoutMs: CALL_MS }
    return isOwn ? sandbox.setTimeout(ms, how) : sandbox.connect({ timeoutMs: ms, ...how })
  }
}

/** Never rejects: what cannot be killed now is killed by its own time, soon. */
export async function killSandbox({ sandbox, settings }: Pick<Inhabited, 'sandbox' | 'settings'>): Promise<void> {
  const { sandboxId } = sandbox
  for (const pause of [0, ...KILL_PAUSES_MS]) {
    if (pause > 0) await sleep(pause)
    try {
      await Sandbox.kill(sandboxId, { ...settings.connection, requestTimeoutMs: CALL_MS })
      break
    } catch (error) {
      if (nameOf(error) === 'SandboxNotFoundError' || nameOf(error) === 'AuthenticationError') break
    }
  }
  forgetAtExit(sandboxId)
}
