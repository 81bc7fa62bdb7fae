import { pythonLinkStart } from '@codeact/sandbox'
import type { CommandHandle, Sandbox } from '@e2b/code-interpreter'
import type { Settings } from './settings.ts'

/** The working directory of the code. */
const WORKSPACE = '/workspace'

/** Where the program in a sandbox has its files. `token` tells several in one sandbox apart. */
export function programFolder(token: string): string {
  return `/tmp/codeact-${token}`
}

export type Heard = Required<Pick<Parameters<Sandbox['commands']['connect']>[1] & {}, 'onStdout' | 'onStderr'>>

/** Puts the supervisor and its link into a sandbox. */
export async function installProgram(sandbox: Sandbox, token: string): Promise<void> {
  const folder = programFolder(token)
  const { input } = pythonLinkStart(folder)
  await Promise.all([
    sandbox.files.write(`${folder}/modules`, new Blob([new Uint8Array(input)])),
    sandbox.files.makeDir(WORKSPACE),
  ])
}

/** Starts it. It has no time limit, and outlives the connection. */
export function startProgram(
  sandbox: Sandbox,
  token: string,
  { env }: Pick<Settings, 'env'>,
  heard: Heard,
): Promise<CommandHandle> {
  const { arguments: args } = pythonLinkStart(programFolder(token))
  const command = ['exec', 'python3', ...args.map(quoted)].join(' ')
  return sandbox.commands.run(command, {
    background: true,
    stdin: true,
    timeoutMs: 0,
    cwd: WORKSPACE,
    envs: { LANG: 'C.UTF-8', MPLBACKEND: 'agg', ...env },
    ...heard,
  })
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", "'\\''")}'`
}
