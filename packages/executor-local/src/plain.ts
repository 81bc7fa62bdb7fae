import { sandboxEnvironment } from './environment.ts'
import { kernelArguments } from './interpreter.ts'
import type { Command, Place } from './isolation.ts'

/** A bare subprocess: scrubbed environment and its own folder, and no protection beyond that. */
export function plainCommand({ interpreter, workspace, options }: Place): Command {
  return {
    file: interpreter.path,
    args: kernelArguments(interpreter),
    input: interpreter.kernel,
    env: sandboxEnvironment(workspace, options),
    cwd: workspace,
  }
}
