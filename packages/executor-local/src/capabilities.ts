import type { Capabilities, PromiseException } from '@codeact/spec'
import type { Interpreter } from './interpreter.ts'
import type { Isolation } from './isolation.ts'

const NO_CHECKPOINT: PromiseException = {
  promise: 'timeout.state',
  reason: 'without checkpoints a cell that has to be killed takes the variables with it; they are reported as lost',
}

const DAEMONS: PromiseException = {
  promise: 'hygiene.daemons',
  reason: 'without a process namespace, a daemon that left its session is not found',
}

const BY_ISOLATION: Readonly<Record<Isolation['name'], readonly PromiseException[]>> = {
  bubblewrap: [],
  seatbelt: [
    {
      promise: 'isolation.verified',
      reason: 'the rules for Seatbelt have never run on a Mac: nobody has verified them yet',
    },
    { promise: 'isolation.names', reason: "the host's name, and whether a path exists, can be told" },
  ],
  none: [{ promise: 'isolation', reason: "isolation 'none' was asked for: the code runs as the host's user" }],
}

/** A keeper takes orphans in, and finds them. */
const WITHOUT_KEEPER: Readonly<Record<Isolation['name'], readonly PromiseException[]>> = {
  bubblewrap: [],
  seatbelt: [DAEMONS],
  none: [DAEMONS],
}

export function capabilities(
  interpreter: Interpreter,
  isolation: Isolation,
  checkpoint: boolean,
  limits: readonly PromiseException[],
): Capabilities {
  return {
    languages: [{ language: 'python', version: interpreter.version, checkpoint }],
    isolation: isolation.name,
    exceptions: [
      ...limits,
      ...(checkpoint ? [] : [NO_CHECKPOINT, ...WITHOUT_KEEPER[isolation.name]]),
      ...BY_ISOLATION[isolation.name],
    ],
  }
}
