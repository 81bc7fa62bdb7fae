import { CodeActError } from '@codeact/spec'
import type { Backend } from './backend.ts'
import type { Kernels } from './named-checkpoints.ts'

/** The place of a twin, in which a copy of the kernel goes on. */
export async function makeTwin(backend: Backend, kernels: Kernels): Promise<Backend> {
  const [kernel, ...others] = kernels.values()
  const fork = backend.fork?.bind(backend)
  if (fork === undefined || kernel === undefined || others.length > 0 || !kernel.isCopied) throw unsupported(kernels)
  return fork(async (request) => {
    const reason = await kernel.questions.fork(request)
    if (reason !== undefined) throw new CodeActError('FORK_FAILED', `The sandbox was not forked: ${reason}.`)
  })
}

function unsupported(kernels: Kernels): CodeActError {
  const languages = [...kernels.keys()].join(', ')
  return new CodeActError('FORK_UNSUPPORTED', `This sandbox cannot be forked with its state in ${languages}.`, {
    hint: 'Open one whose capabilities have a language with checkpoint: true, and leave the option checkpoint out.',
  })
}
