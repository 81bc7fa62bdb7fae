import type { SupervisorUp } from '@codeact/sandbox'
import type { Capabilities, PromiseException } from '@codeact/spec'
import type { Settings } from './settings.ts'

const NO_CHECKPOINT: PromiseException = {
  promise: 'timeout.state',
  reason: 'a cell that has to be killed takes the variables with it; they are reported as lost',
}

const LIMITS: PromiseException = {
  promise: 'limits',
  reason: 'memory, processors, processes and disk are those of the template, of the whole sandbox',
}

const PRIVILEGES: PromiseException = {
  promise: 'isolation.privileges',
  reason: 'the wall is that of the virtual machine, in which the code is a plain user: it may make namespaces there',
}

const UNCONFINED: PromiseException = {
  promise: 'isolation.system-calls',
  reason: "the template's Python has no ctypes, or the processor is neither x86-64 nor ARM64",
}

const DAEMONS: PromiseException = {
  promise: 'hygiene.daemons',
  reason: "the template's Python has no ctypes: a daemon ends with the sandbox, not with the cell that is killed",
}

const NETWORK: PromiseException = { promise: 'isolation.network', reason: 'network was asked for' }

const OF_OTHERS: PromiseException = {
  promise: 'isolation.network',
  reason: 'the sandbox has the network that it was made with',
}

/** What this executor keeps of the contract, and what not. */
export function capabilities({ version, confined }: SupervisorUp, { isOpen, sandboxId }: Settings): Capabilities {
  return {
    languages: [{ language: 'python', version, checkpoint: false }],
    isolation: 'E2B cloud sandbox (Firecracker)',
    exceptions: [
      NO_CHECKPOINT,
      LIMITS,
      PRIVILEGES,
      ...(confined ? [] : [UNCONFINED, DAEMONS]),
      ...(isOpen ? [NETWORK] : []),
      ...(sandboxId === undefined ? [] : [OF_OTHERS]),
    ],
  }
}
