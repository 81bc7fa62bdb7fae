import { type CodeActError, orAborted } from '@codeact/spec'
import type Docker from 'dockerode'
import { bounded } from './bounded.ts'
import { removeByForce } from './calls.ts'
import { dockerError, statusOf } from './docker-error.ts'

const GONE = 404
const GOING = 409

/**
 * Kills a container, removes it, and resolves when it is gone, however many do the same at once: with nothing, or with what was
 * in the way. Never rejects. `which` is an id or a name.
 */
export async function removeContainer(docker: Docker, which: string, ms: number): Promise<CodeActError | undefined> {
  const container = docker.getContainer(which)
  try {
    await bounded('remove the container', ms, async (signal) => {
      await removeByForce(container, signal).catch((error: unknown) => {
        if (statusOf(error) !== GOING) throw error
        return untilGone(container, signal)
      })
    })
    return undefined
  } catch (error) {
    return statusOf(error) === GONE ? undefined : dockerError('remove the container', error)
  }
}

/** This call alone never ends by itself when the connection is cut. */
async function untilGone(container: Docker.Container, abortSignal: AbortSignal): Promise<void> {
  await orAborted(container.wait({ condition: 'removed', abortSignal }), abortSignal)
}
