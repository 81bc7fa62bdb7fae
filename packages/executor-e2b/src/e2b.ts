import { type Backend, defineExecutor, supervisedBackend } from '@codeact/sandbox'
import type { Executor, OpenOptions } from '@codeact/spec'
import { capabilities } from './capabilities.ts'
import type { CloudPlace } from './cloud-place.ts'
import type { E2bOptions } from './e2b-options.ts'
import { notebookBackend } from './notebook/notebook-backend.ts'
import { resumePlace, startPlace } from './open-place.ts'
import { removeLeftovers } from './reaper.ts'
import { checkSettings } from './settings.ts'

const OF_THE_TEMPLATE = 'it is what the template says: e2b template build --memory-mb 1024 --cpu-count 2'
const NOT_OF_A_NOTEBOOK = "E2B's notebook starts its kernels, and no copy can take the place of one"
/** Where forks of a sandbox work. */
const FORKS = '/tmp/codeact-forks'
const OF_THE_MACHINE = 'a sandbox is a whole machine, which has no such limit'

/** Runs code in a sandbox of E2B's cloud: a virtual machine of its own, without network, that ends when nobody uses it any more. */
export function e2b(options: E2bOptions = {}): Executor {
  return defineExecutor({
    name: 'e2b',
    languages: ['python'],
    options,
    unsupported: {
      'limits.memory': OF_THE_TEMPLATE,
      'limits.cpus': OF_THE_TEMPLATE,
      'limits.disk': OF_THE_TEMPLATE,
      'limits.processes': OF_THE_MACHINE,
      'limits.files': OF_THE_MACHINE,
      mounts: 'the machine is not yours: give it files with open({ files }) or sandbox.files.write()',
      pool: 'a sandbox costs money from its start on, whether somebody uses it or not',
      ...(options.backend === 'jupyter' ? { checkpoint: NOT_OF_A_NOTEBOOK } : {}),
    },
    isBilled: true,
    canResume: options.backend !== 'jupyter',
    openBackend: (open) => openBackend(options, open),
  })
}

async function openBackend(options: E2bOptions, { resume, signal }: OpenOptions): Promise<Backend> {
  const settings = checkSettings(options)
  void removeLeftovers(settings.connection)
  let atOpen = signal
  let place: CloudPlace
  const backend = await supervisedBackend({
    start: async (receive) => {
      const starting = startPlace(settings, receive, atOpen)
      atOpen = undefined // One that is lost is started again whatever has become of that signal.
      place = await starting
      return place
    },
    resume: resume === undefined ? undefined : (receive) => resumePlace(settings, resume, receive),
    checkpointBytes: settings.checkpointBytes,
    ...(settings.checkpointBytes === undefined ? {} : { forks: FORKS }),
    capabilities: (up) => capabilities(up, settings),
  })
  return settings.backend === 'jupyter' ? notebookBackend(backend, () => place, settings) : backend
}
