import type { Duplex } from 'node:stream'
import { CodeActError, orAborted } from '@codeact/spec'
import type Docker from 'dockerode'
import { AttachedContainer } from './attached-container.ts'
import { bounded } from './bounded.ts'
import type { NamedOptions } from './container-options.ts'
import type { Outputs } from './demux.ts'
import { dockerError, statusOf, wordsOf } from './docker-error.ts'
import { PATIENCE, type Patience } from './patience.ts'
import { removeContainer } from './remove-container.ts'
import type { RunningContainer } from './running-container.ts'

/** A start that failed waits this long for what it had made to be gone; then the removal goes on behind it. */
const TIDY_MS = 500

/**
 * Creates a container, attaches to it before it starts, so that nothing is lost, and starts it. What was made is removed when a
 * step fails, hangs or is aborted. `create.name` must be one of its own.
 *
 * Rejects with `OPTION_INVALID` where Docker refuses the options, `EXECUTOR_UNAVAILABLE` else, the signal's reason at an abort.
 */
export async function startContainer(
  docker: Docker,
  create: NamedOptions,
  outputs: Outputs,
  signal?: AbortSignal,
  patience: Patience = PATIENCE,
): Promise<RunningContainer> {
  const id = await createContainer(docker, create, signal, patience)
  let container: AttachedContainer | undefined
  try {
    container = new AttachedContainer(docker, id, await attach(docker, id, signal, patience), outputs, patience)
    await start(docker, id, signal, patience)
    return container
  } catch (error) {
    await tidy(container?.close() ?? removeContainer(docker, id, patience.remove))
    throw error
  }
}

/** At an abort the call itself goes on: one that is given up too early leaves a container that nobody knows of. */
async function createContainer(
  docker: Docker,
  create: NamedOptions,
  signal: AbortSignal | undefined,
  patience: Patience,
): Promise<string> {
  signal?.throwIfAborted()
  const creating = bounded('create a container', patience.create, async (abortSignal) => {
    return (await docker.createContainer({ ...create, abortSignal })).id
  })
  try {
    return await (signal === undefined ? creating : orAborted(creating, signal))
  } catch (error) {
    const made = creating.then(
      () => removeContainer(docker, create.name, patience.remove),
      (failure) =>
        // It may have been made all the same; an answer says that it was not.
        statusOf(failure) === undefined ? removeContainer(docker, create.name, patience.remove) : undefined,
    )
    await tidy(made)
    throw signal?.aborted === true ? signal.reason : notCreated(error)
  }
}

function attach(docker: Docker, id: string, signal: AbortSignal | undefined, patience: Patience): Promise<Duplex> {
  return step('attach to the container', patience.attach, signal, async (abortSignal) => {
    const how = { stream: true, stdin: true, stdout: true, stderr: true, hijack: true, abortSignal }
    const stream = (await docker.getContainer(id).attach(how)) as Duplex
    if (abortSignal.aborted) stream.destroy()
    return stream
  })
}

async function start(docker: Docker, id: string, signal: AbortSignal | undefined, patience: Patience): Promise<void> {
  await step('start the container', patience.start, signal, (abortSignal) =>
    docker.getContainer(id).start({ abortSignal }),
  )
}

async function step<T>(
  what: string,
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await bounded(what, ms, work, signal)
  } catch (error) {
    throw signal?.aborted === true ? signal.reason : dockerError(what, error)
  }
}

function notCreated(error: unknown): CodeActError {
  const status = statusOf(error)
  if (status === 400) {
    return new CodeActError('OPTION_INVALID', `docker(): Docker refuses the options: ${wordsOf(error)}.`, {
      cause: error,
    })
  }
  return dockerError('create a container', error)
}

function tidy(removal: Promise<unknown>): Promise<unknown> {
  return orAborted(removal, AbortSignal.timeout(TIDY_MS)).catch(() => undefined)
}
