import { mkdtemp, rm } from 'node:fs/promises'
import type { Executor } from '@codeact/spec'
import { type Backend, defineExecutor, hostFolderFiles, type SandboxOptions } from '../../src/index.ts'
import { FOLDERS } from './leftovers.ts'
import { startKernel } from './start-kernel.ts'

/** Two names for one made-up language, so that there is a first one and another. */
const LANGUAGES = ['couplets', 'lines']

/** An executor of a language that there is not, on real processes: the front door carries it as it carries Python. */
export function lines(options: SandboxOptions = {}): Executor {
  return defineExecutor({ name: 'lines', languages: LANGUAGES, options, unsupported: {}, openBackend })
}

async function openBackend(): Promise<Backend> {
  const folder = await mkdtemp(FOLDERS)
  return {
    capabilities: {
      languages: LANGUAGES.map((language) => ({ language, version: '1', checkpoint: false })),
      isolation: 'none',
      exceptions: [{ promise: 'isolation', reason: 'it is there to be tested, not to be trusted' }],
    },
    files: hostFolderFiles(folder),
    connect: async (language, receive) => startKernel(language, folder, receive),
    close: () => rm(folder, { recursive: true }),
  }
}
