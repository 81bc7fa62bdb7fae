import type { SupervisorUp } from '@codeact/sandbox'
import type { Capabilities, PromiseException } from '@codeact/spec'
import type { Settings } from './settings.ts'

const NO_CHECKPOINT: PromiseException = {
  promise: 'timeout.state',
  reason: 'without checkpoints a cell that has to be killed takes the variables with it; they are reported as lost',
}

const UNCOPIED_NOTEBOOK: PromiseException = {
  promise: 'timeout.state',
  reason:
    "E2B's notebook starts its kernels, and no copy can take the place of one: what is killed takes its variables along",
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

const AWAITS = "the event loop is the notebook's, and there already: while a cell awaits, its clock does not stop"

/** What E2B's notebook does in its own way. */
const NOTEBOOK: readonly PromiseException[] = [
  {
    promise: 'isolation.privileges',
    reason: "the wall is that of the virtual machine, in which E2B's notebook runs the code as root",
  },
  { promise: 'isolation.system-calls', reason: 'the code is root, which may call the system as it likes' },
  { promise: 'hygiene.daemons', reason: 'a daemon ends with the sandbox, not with the cell that is killed' },
  { promise: 'crash.output', reason: 'what a cell prints right before its kernel ends does not leave the kernel' },
  { promise: 'crash.signals', reason: "E2B's notebook does not tell how a kernel has ended" },
  {
    promise: 'display.figures',
    reason: "figures are shown as E2B's notebook shows them: one that is the last value comes twice",
  },
  {
    promise: 'output.child-processes',
    reason: 'what child processes print comes beside what the code prints, in any order',
  },
  { promise: 'output.bytes', reason: 'output is text when it comes: bytes that are none are replaced by the notebook' },
  { promise: 'output.surrogates', reason: 'the notebook drops output that has lone surrogates in it' },
  { promise: 'tools.event-loop', reason: AWAITS },
  { promise: 'tools.threads.event-loop', reason: AWAITS },
  { promise: 'timeout.event-loop', reason: "the event loop is the notebook's: code that damages it loses the session" },
]

/** What this executor keeps of the contract, and what not. */
export function capabilities(
  { version, confined, kernel, copied }: SupervisorUp,
  { isOpen, sandboxId, backend, checkpointBytes }: Settings,
): Capabilities {
  const checkpoint = kernel === undefined ? checkpointBytes !== undefined && confined : copied === true
  const lost = backend === 'jupyter' ? UNCOPIED_NOTEBOOK : NO_CHECKPOINT
  return {
    languages: [{ language: 'python', version, checkpoint }],
    isolation: 'E2B cloud sandbox (Firecracker)',
    exceptions: [
      ...(checkpoint ? [] : [lost]),
      LIMITS,
      ...(backend === 'jupyter' ? NOTEBOOK : [PRIVILEGES, ...(confined ? [] : [UNCONFINED, DAEMONS])]),
      ...(isOpen ? [NETWORK] : []),
      ...(sandboxId === undefined ? [] : [OF_OTHERS]),
    ],
  }
}
