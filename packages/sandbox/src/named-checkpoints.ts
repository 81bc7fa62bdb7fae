import { CodeActError, newId, type Rollback } from '@codeact/spec'
import type { KernelClient } from './kernel-client.ts'

/** By language. */
export type Kernels = ReadonlyMap<string, KernelClient>

/** Keeps a copy of every kernel, and gives the name by which it is found. */
export async function keepCopies(kernels: Kernels): Promise<string> {
  refuseUncopied(kernels)
  const name = newId('checkpoint')
  for (const [language, kernel] of kernels) {
    const reason = await kernel.questions.checkpoint(name)
    if (reason !== undefined) throw notTaken(language, reason)
  }
  return name
}

export function dropCopies(kernels: Kernels, name: string): void {
  refuseUncopied(kernels)
  for (const kernel of kernels.values()) kernel.questions.release(name)
}

/** Every kernel gives way to its copy of this name. */
export async function goBack(kernels: Kernels, name: string): Promise<Rollback> {
  refuseUncopied(kernels)
  const rollbacks: Rollback[] = []
  for (const kernel of kernels.values()) {
    const rollback = await kernel.questions.restore(name)
    if (rollback === undefined) throw silent()
    if (rollback === 'missing') throw notThere(name)
    rollbacks.push(rollback)
  }
  return {
    restored: rollbacks.flatMap(({ restored }) => restored),
    lost: rollbacks.flatMap(({ lost }) => lost),
  }
}

/** What could not be brought back must not be taken for something that was. */
function refuseUncopied(kernels: Kernels): void {
  for (const [language, { isCopied }] of kernels) {
    if (isCopied) continue
    throw new CodeActError('CHECKPOINT_UNSUPPORTED', `This sandbox takes no checkpoints of ${language}.`, {
      hint: 'Open one whose capabilities have a language with checkpoint: true, and leave the option checkpoint out.',
    })
  }
}

function notTaken(language: string, reason: string): CodeActError {
  return new CodeActError('CHECKPOINT_FAILED', `No checkpoint was taken of ${language}: ${reason}.`, {
    hint: 'Delete variables that are not needed, or set the option checkpoint: { upTo } higher.',
  })
}

function silent(): CodeActError {
  return new CodeActError('RESTORE_FAILED', 'What runs the code has ended, or does not answer.', {
    hint: 'Run a cell, which says what became of it.',
  })
}

function notThere(name: string): CodeActError {
  return new CodeActError('CHECKPOINT_GONE', `There is no checkpoint ${name}.`, {
    hint: 'A sandbox keeps the newest eight, while they are no larger together than the option checkpoint: { upTo }, and loses them with its process.',
  })
}
