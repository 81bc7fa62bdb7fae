import { constants } from 'node:os'
import { CodeActError } from '@codeact/spec'
import type Docker from 'dockerode'
import { bounded } from './bounded.ts'
import { eventsOf, ping } from './calls.ts'
import { daemonLost, statusOf } from './docker-error.ts'
import { jsonLines } from './json-lines.ts'
import type { Patience } from './patience.ts'

/** How a container went. */
export interface ContainerEnd {
  /**
   * `closed`: by us. `exit`, `signal`: its program ended by itself, or was killed from within. `memory`: the kernel killed it at
   * its limit. `removed`: somebody else killed or removed it. `cut`: it lives, but can no longer be heard. `protocol`: it sent
   * what no container sends. `daemon`: Docker itself is gone.
   */
  readonly reason: 'closed' | 'exit' | 'signal' | 'memory' | 'removed' | 'cut' | 'protocol' | 'daemon'
  /** For a person: `exit code 3`, `SIGSEGV`. */
  readonly detail: string
  /** As Docker reports it: 128 and the number of the signal, where one ended it. Undefined where Docker could not tell. */
  readonly exitCode?: number
  /** What an operator should know, where it was not the code's doing. */
  readonly error?: CodeActError
}

interface DockerEvent {
  readonly Action: string
  readonly Actor: { readonly Attributes: Readonly<Record<string, string>> }
}

/** Its last events can trail its death by this much. */
const TRAILING_MS = 200
const KILLED = 128 + constants.signals.SIGKILL

/**
 * Finds out how a container went whose stream has ended. The events are asked, since they outlast the container; within
 * `patience.fate` this resolves whatever happens.
 */
export async function endOf(docker: Docker, id: string, patience: Patience): Promise<ContainerEnd> {
  const events: DockerEvent[] = []
  const failure = await bounded('say how the container ended', patience.fate / 2, (signal) =>
    lastEvents(docker, id, events, signal),
  ).catch((error: unknown) => error)
  const death = deathIn(events)
  return death === undefined ? withoutEvents(docker, id, patience, failure) : endFrom(events, exitCodeOf(death))
}

/** Fills `events` up to the last that matters. */
async function lastEvents(docker: Docker, id: string, events: DockerEvent[], outer: AbortSignal): Promise<void> {
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  outer.addEventListener('abort', stop, { once: true })
  try {
    for await (const event of jsonLines(await eventsOf(docker, id, EVENTS, controller.signal))) {
      events.push(event as DockerEvent)
      if (isExplained(events)) return
      if (deathIn(events) !== undefined) setTimeout(stop, TRAILING_MS).unref()
    }
  } finally {
    outer.removeEventListener('abort', stop)
    stop()
  }
}

const EVENTS = ['oom', 'kill', 'die', 'destroy']

function deathIn(events: readonly DockerEvent[]): DockerEvent | undefined {
  return events.find(({ Action }) => Action === 'die')
}

/** A kill without a reason yet may get one: that memory ran out is told by another part of Docker. */
function isExplained(events: readonly DockerEvent[]): boolean {
  const death = deathIn(events)
  if (death === undefined) return false
  return exitCodeOf(death) !== KILLED || events.some(({ Action }) => Action !== 'die')
}

function exitCodeOf({ Actor }: DockerEvent): number {
  return Number(Actor.Attributes.exitCode)
}

function endFrom(events: readonly DockerEvent[], exitCode: number): ContainerEnd {
  const signals = events.filter(({ Action }) => Action === 'kill').map(({ Actor }) => Number(Actor.Attributes.signal))
  if (signals.some((signal) => signal === constants.signals.SIGKILL || signal === exitCode - 128)) {
    return { ...removed(), exitCode }
  }
  return processEnd(
    exitCode,
    events.some(({ Action }) => Action === 'oom'),
  )
}

function processEnd(exitCode: number, ranOutOfMemory: boolean): ContainerEnd {
  if (exitCode === KILLED && ranOutOfMemory) {
    return { reason: 'memory', detail: 'the container used up its memory', exitCode }
  }
  const signal = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0]
  if (signal !== undefined) return { reason: 'signal', detail: signal, exitCode }
  return { reason: 'exit', detail: `exit code ${exitCode}`, exitCode }
}

/** Docker remembers the last few hundred events only, and may be gone itself. */
async function withoutEvents(docker: Docker, id: string, patience: Patience, cause: unknown): Promise<ContainerEnd> {
  try {
    const { State } = await bounded('inspect the container', patience.fate / 4, (abortSignal) =>
      docker.getContainer(id).inspect({ abortSignal }),
    )
    return State.Running ? cut(cause) : processEnd(State.ExitCode, State.OOMKilled)
  } catch (error) {
    if (statusOf(error) === 404) return removed()
    return await lost(docker, patience, error)
  }
}

async function lost(docker: Docker, patience: Patience, cause: unknown): Promise<ContainerEnd> {
  try {
    await bounded('answer', patience.fate / 4, (signal) => ping(docker, signal))
    return cut(cause)
  } catch (error) {
    return { reason: 'daemon', detail: 'Docker is gone', error: CodeActError.is(error) ? error : daemonLost(error) }
  }
}

function removed(): ContainerEnd {
  return ended('removed', 'the container was killed or removed from outside')
}

function cut(cause: unknown): ContainerEnd {
  return ended('cut', 'the connection to the container was cut', cause)
}

function ended(reason: ContainerEnd['reason'], detail: string, cause?: unknown): ContainerEnd {
  const message = `${detail[0]?.toUpperCase()}${detail.slice(1)}.`
  return { reason, detail, error: new CodeActError('EXECUTOR_UNAVAILABLE', message, { isRetryable: true, cause }) }
}
