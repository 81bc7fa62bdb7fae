import { sandboxEnvironment } from './environment.ts'
import type { Command, Place } from './isolation.ts'

/** A bare subprocess: scrubbed environment and its own folder, and no protection beyond that. */
export function plainCommand({ interpreter, start, isKept, workspace, options }: Place): Command {
  return {
    file: interpreter.path,
    args: start.arguments,
    input: start.input,
    isKept,
    env: sandboxEnvironment(workspace, options),
    cwd: workspace,
  }
}
