import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { CodeActError } from '@codeact/spec'
import { sandboxEnvironment } from './environment.ts'
import type { Interpreter } from './interpreter.ts'
import type { Command, Place } from './isolation.ts'
import { linksOn, realPath } from './links.ts'
import type { LocalOptions } from './local.ts'
import { refusedBySeatbelt } from './refusal.ts'
import { seatbeltProfile } from './seatbelt-profile.ts'

/** By its full path: another one on the PATH would be no sandbox. */
export const SANDBOX_EXEC = '/usr/bin/sandbox-exec'

/**
 * Seatbelt around the kernel: the code sees the system's programs, the interpreter and the mounts read-only, and its own
 * folders. There is no other view of the files than the host's, so that everything keeps its path, and no private `/tmp`:
 * temporary files go to a folder beside the workspace, and are removed with it.
 */
export function seatbeltCommand(file: string, { interpreter, start, workspace, temporary, options }: Place): Command {
  refuseHome(interpreter)
  const home = realpathSync.native(workspace)
  const scratch = realpathSync.native(temporary)
  const mounts = Object.entries(options.mounts ?? {}).map(mounted)
  const { text, parameters } = seatbeltProfile({
    workspace: home,
    temporary: scratch,
    readable: [...interpreter.prefixes, ...mounts.map(({ path }) => path)],
    writable: mounts.filter(({ writable }) => writable).map(({ path }) => path),
    links: [interpreter.path, ...Object.keys(options.mounts ?? {})].flatMap(linksOn),
    network: options.network === 'full',
  })
  const named = Object.entries(parameters).flatMap(([name, path]) => ['-D', `${name}=${path}`])
  return {
    file,
    args: ['-p', text, ...named, '--', interpreter.path, ...start.arguments],
    env: { TMPDIR: scratch, ...sandboxEnvironment(home, options) },
    cwd: home,
    input: start.input,
    refusal: refusedBySeatbelt,
  }
}

type Mounts = NonNullable<LocalOptions['mounts']>

function mounted([inside, mount]: [string, Mounts[string]]): { path: string; writable: boolean } {
  const { source, writable = false } = typeof mount === 'string' ? { source: mount } : mount
  const path = realPath(source)
  if (path === undefined) {
    throw new CodeActError('OPTION_INVALID', `local(): mounts names ${source}, which is not there.`, {
      hint: 'Make that folder first, or correct the path.',
    })
  }
  if (realPath(inside) === path) return { path, writable }
  throw new CodeActError(
    'OPTION_UNSUPPORTED',
    `local() cannot show ${source} as ${inside}: with Seatbelt a folder keeps the path that it has on the host.`,
    { hint: `Write mounts: { ${JSON.stringify(source)}: … }, and use that path in the code.` },
  )
}

/** An environment that was made right in the home folder would bring all of that with it. */
function refuseHome({ prefixes, path }: Interpreter): void {
  const home = realPath(homedir()) ?? homedir()
  const around = prefixes.find((prefix) => `${home}/`.startsWith(prefix === '/' ? prefix : `${prefix}/`))
  if (around === undefined) return
  throw new CodeActError(
    'EXECUTOR_UNAVAILABLE',
    `The Python at ${path} has its library in ${around}, and so the code would see all of your home folder.`,
    {
      hint: 'Make an environment in a folder of its own (python3 -m venv ~/.venvs/code), and name it: local({ python: … }).',
    },
  )
}
