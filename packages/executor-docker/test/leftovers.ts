import { parseOwner } from '@codeact/sandbox'
import type { Executor } from '@codeact/spec'
import type { SuiteOptions } from '@codeact/testing'
import { connectDocker } from '../src/connection.ts'
import { type DockerOptions, docker } from '../src/index.ts'
import { OWNER_LABEL } from '../src/owner-labels.ts'
import { IMAGE } from './requirements.ts'

/** `docker()` with the image of the tests. */
export function withImage(more: DockerOptions = {}): (options?: SuiteOptions) => Executor {
  return (options) => docker({ image: IMAGE, ...more, ...options })
}

/** The containers of this process, in whatever state. */
export async function leftovers(pid = process.pid): Promise<readonly string[]> {
  const engine = await connectDocker()
  const all = await engine.listContainers({ all: true, filters: { label: [OWNER_LABEL] } })
  return all
    .filter(({ Labels }) => parseOwner(Labels[OWNER_LABEL])?.pid === pid)
    .map(({ Names, State }) => `${Names.join()} (${State})`)
}
