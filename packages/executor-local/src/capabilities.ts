import type { Capabilities, PromiseException } from '@codeact/spec'
import type { Interpreter } from './interpreter.ts'
import type { Isolation } from './isolation.ts'

const UNLIMITED: PromiseException = {
  promise: 'limits',
  reason: 'time and output are limited; memory, processor, processes and disk are not yet',
}

const NO_CHECKPOINT: PromiseException = {
  promise: 'timeout.state',
  reason: 'a cell that has to be killed takes the variables with it; they are reported as lost',
}

const NOT_ISOLATED: readonly PromiseException[] = [
  { promise: 'isolation', reason: "isolation 'none' was asked for: the code runs as the host's user" },
  { promise: 'hygiene.daemons', reason: 'without a process namespace, a daemon that left its session is not found' },
]

export function capabilities(interpreter: Interpreter, isolation: Isolation): Capabilities {
  return {
    languages: [{ language: 'python', version: interpreter.version, checkpoint: false }],
    isolation: isolation.name,
    exceptions: [UNLIMITED, NO_CHECKPOINT, ...(isolation.name === 'none' ? NOT_ISOLATED : [])],
  }
}
