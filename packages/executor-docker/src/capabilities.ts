import type { SupervisorUp } from '@codeact/sandbox'
import type { Capabilities, PromiseException } from '@codeact/spec'
import type { Settings } from './settings.ts'

const NO_CHECKPOINT: PromiseException = {
  promise: 'timeout.state',
  reason: 'without checkpoints a cell that has to be killed takes the variables with it; they are reported as lost',
}

const UNCONFINED: PromiseException = {
  promise: 'isolation.system-calls',
  reason:
    "the image's Python has no ctypes, or the processor is neither x86-64 nor ARM64: only Docker's own filter holds",
}

const NETWORK: PromiseException = { promise: 'isolation.network', reason: "network: 'full' was asked for" }

/** What this executor keeps of the contract, and what not. */
export function capabilities(
  { version, confined }: SupervisorUp,
  { network }: Settings,
  unkept: readonly PromiseException[],
  checkpoints: boolean,
): Capabilities {
  const checkpoint = checkpoints && confined
  return {
    languages: [{ language: 'python', version, checkpoint }],
    isolation: 'Docker container',
    exceptions: [
      ...(checkpoint ? [] : [NO_CHECKPOINT]),
      ...unkept,
      ...(confined ? [] : [UNCONFINED]),
      ...(network === 'full' ? [NETWORK] : []),
    ],
  }
}
