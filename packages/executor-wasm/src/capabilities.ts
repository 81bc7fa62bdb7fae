import type { Capabilities, PromiseException } from '@codeact/spec'

const NO_PROCESSES = 'Python on WebAssembly starts no processes'

const EXCEPTIONS: readonly PromiseException[] = [
  {
    promise: 'isolation.wall',
    reason:
      'the code reaches no files, network, processes or environment of the host, but no wall of the operating system ' +
      'stands behind a hole in the WebAssembly runtime or in the JavaScript realm around it: hardened, not isolated',
  },
  {
    promise: 'timeout.state',
    reason: 'a cell that has to be killed takes the variables with it; they are reported as lost',
  },
  {
    promise: 'limits.process',
    reason: "Python's heap and files are bounded; what JavaScript around them takes, and the processor, are not",
  },
  { promise: 'limits.processes', reason: NO_PROCESSES },
  { promise: 'limits.files', reason: 'the number of open files is fixed' },
  { promise: 'limits.cpus', reason: 'its one thread takes one processor at most' },
  {
    promise: 'files.state',
    reason: 'files lie in memory: those that code made are lost with its state, those that the host wrote come back',
  },
  { promise: 'tools.threads', reason: 'Python on WebAssembly has no threads' },
  { promise: 'output.child-processes', reason: NO_PROCESSES },
  { promise: 'timeout.child-processes', reason: NO_PROCESSES },
  { promise: 'hygiene.child-processes', reason: NO_PROCESSES },
  { promise: 'crash.signals', reason: 'Python on WebAssembly cannot send signals' },
]

/** What this executor keeps of the contract, and what not. */
export function capabilities(version: string): Capabilities {
  return {
    languages: [{ language: 'python', version, checkpoint: false }],
    isolation: 'WebAssembly in a hardened child process',
    exceptions: EXCEPTIONS,
  }
}
