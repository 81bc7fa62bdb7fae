import type { Place } from '@codeact/sandbox'
import { newId, orAborted } from '@codeact/spec'
import { Sandbox } from '@e2b/code-interpreter'
import { CloudPlace, killSandbox } from './cloud-place.ts'
import { type Attempted, e2bError } from './e2b-error.ts'
import { ownerMetadata } from './owner-metadata.ts'
import { installProgram, startProgram } from './program.ts'
import { parseResumeId } from './resume-id.ts'
import type { Settings } from './settings.ts'

type Receive = (bytes: Uint8Array) => void

/** Makes a sandbox, or takes the one that was named, and starts our program in it. */
export async function startPlace(settings: Settings, receive: Receive, signal?: AbortSignal): Promise<CloudPlace> {
  const { sandboxId } = settings
  const sandbox = sandboxId === undefined ? await create(settings, signal) : await connect(sandboxId, settings)
  const isOwn = sandboxId === undefined
  const token = newId('link')
  try {
    await installProgram(sandbox, token, settings)
    return await CloudPlace.start({ sandbox, settings, token, isOwn, receive }, (heard) =>
      startProgram(sandbox, token, settings, heard),
    )
  } catch (error) {
    if (isOwn) await killSandbox({ sandbox, settings })
    throw e2bError(attempted('start Python in the sandbox', settings, { sandboxId: sandbox.sandboxId }), error)
  }
}

/** Goes on with a sandbox that was put to rest, and with the program in it. */
export async function resumePlace(settings: Settings, resume: string, receive: Receive): Promise<Place> {
  const { sandboxId, pid, token } = parseResumeId(resume)
  const sandbox = await connect(sandboxId, settings)
  try {
    return await CloudPlace.resume({ sandbox, settings, token, isOwn: true, receive }, pid)
  } catch (error) {
    throw e2bError(attempted('go on with the sandbox', settings, { sandboxId }), error)
  }
}

async function create(settings: Settings, signal?: AbortSignal): Promise<Sandbox> {
  const { template, network, idleMs, connection } = settings
  const metadata = await ownerMetadata()
  const creating = Sandbox.create(template, { ...connection, ...network, timeoutMs: idleMs, metadata })
  try {
    return await (signal === undefined ? creating : orAborted(creating, signal))
  } catch (error) {
    // The call itself goes on: one that is given up leaves a sandbox that nobody knows of.
    creating.then(
      (sandbox) => killSandbox({ sandbox, settings }),
      () => {},
    )
    if (signal?.aborted === true) throw signal.reason
    throw e2bError(attempted('make a sandbox', settings, { template }), error)
  }
}

async function connect(sandboxId: string, settings: Settings): Promise<Sandbox> {
  try {
    return await Sandbox.connect(sandboxId, { ...settings.connection, timeoutMs: settings.idleMs })
  } catch (error) {
    throw e2bError(attempted('connect to the sandbox', settings, { sandboxId }), error)
  }
}

function attempted(what: string, { connection }: Settings, more: Partial<Attempted>): Attempted {
  return { what, apiKey: connection.apiKey, ...more }
}
