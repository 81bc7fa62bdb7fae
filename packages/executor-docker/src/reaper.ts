import { isGone, parseOwner } from '@codeact/sandbox'
import type Docker from 'dockerode'
import { bounded } from './bounded.ts'
import { OWNER_LABEL } from './owner-labels.ts'
import { PATIENCE } from './patience.ts'
import { removeContainer } from './remove-container.ts'

const swept = new Map<string, Promise<readonly string[]>>()

/**
 * Removes the containers of processes of this machine that live no more, which were killed before they could. Never rejects, nor
 * removes what may still have an owner. Once for each Docker and process: later calls give what the first one gave, the ids of
 * what was removed.
 */
export function removeLeftovers(docker: Docker): Promise<readonly string[]> {
  const address = addressOf(docker)
  const sweeping = swept.get(address) ?? sweep(docker)
  swept.set(address, sweeping)
  return sweeping
}

/** As `removeLeftovers`, at every call. */
export async function sweep(docker: Docker): Promise<readonly string[]> {
  try {
    const removed: string[] = []
    for (const { Id, Labels } of await ownedContainers(docker)) {
      const owner = parseOwner(Labels[OWNER_LABEL])
      if (owner === undefined || !(await isGone(owner))) continue
      if ((await removeContainer(docker, Id, PATIENCE.remove)) === undefined) removed.push(Id)
    }
    return removed
  } catch {
    return []
  }
}

function ownedContainers(docker: Docker): Promise<Docker.ContainerInfo[]> {
  return bounded('list its containers', PATIENCE.inspect, (abortSignal) =>
    docker.listContainers({ all: true, filters: { label: [OWNER_LABEL] }, abortSignal }),
  )
}

function addressOf({ modem }: Docker): string {
  const { protocol, host, port, socketPath } = modem as unknown as Readonly<Record<string, unknown>>
  return JSON.stringify([protocol, host, port, socketPath])
}
