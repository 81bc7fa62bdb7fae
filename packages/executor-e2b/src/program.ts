import { type PythonStart, pythonBridgeStart, pythonLinkStart } from '@codeact/sandbox'
import type { CommandHandle, Sandbox } from '@e2b/code-interpreter'
import type { Settings } from './settings.ts'

/** The working directory of the code. */
export const WORKSPACE = '/workspace'

/** Where the program in a sandbox has its files. `token` tells several in one sandbox apart. */
export function programFolder(token: string): string {
  return `/tmp/codeact-${token}`
}

export type Heard = Required<Pick<Parameters<Sandbox['commands']['connect']>[1] & {}, 'onStdout' | 'onStderr'>>

/** Puts the supervisor and its link into a sandbox, or the bridge and what a notebook loads. */
export async function installProgram(sandbox: Sandbox, token: string, { backend }: Settings): Promise<void> {
  const folder = programFolder(token)
  const { input, notebook } = programStart(folder, backend)
  await Promise.all([
    sandbox.files.write(`${folder}/modules`, new Blob([new Uint8Array(input)])),
    notebook === undefined ? undefined : sandbox.files.write(`${folder}/notebook`, notebook),
    sandbox.files.makeDir(WORKSPACE),
  ])
}

/** Starts it. It has no time limit, and outlives the connection. */
export function startProgram(
  sandbox: Sandbox,
  token: string,
  { env, backend }: Settings,
  heard: Heard,
): Promise<CommandHandle> {
  const { arguments: args } = programStart(programFolder(token), backend)
  const command = ['exec', 'python3', ...args.map(quoted)].join(' ')
  return sandbox.commands.run(command, {
    background: true,
    stdin: true,
    timeoutMs: 0,
    cwd: WORKSPACE,
    // The code in a notebook is root, and so must be whoever moves its files and ends its processes.
    ...(backend === 'jupyter' ? { user: 'root' } : { envs: { LANG: 'C.UTF-8', MPLBACKEND: 'agg', ...env } }),
    ...heard,
  })
}

/** The first cell of a notebook's context. It has nothing in it that a traceback should not show. */
export function bootCell(token: string): string {
  const folder = JSON.stringify(programFolder(token))
  const program = JSON.stringify(`${programFolder(token)}/notebook`)
  return `exec(compile(open(${program}, encoding="utf-8").read(), "codeact", "exec"), {**globals(), "folder": ${folder}})`
}

function programStart(folder: string, backend: Settings['backend']): PythonStart & { readonly notebook?: string } {
  return backend === 'jupyter' ? pythonBridgeStart(folder) : pythonLinkStart(folder)
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", "'\\''")}'`
}
