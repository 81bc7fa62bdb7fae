import { existsSync } from 'node:fs'
import type { ChannelEnd, PythonStart } from '@codeact/sandbox'
import { CodeActError } from '@codeact/spec'
import { bubblewrapCommand, FORKS } from './bubblewrap.ts'
import type { Interpreter } from './interpreter.ts'
import type { LimitSettings } from './limits/settings.ts'
import type { LocalOptions } from './local.ts'
import { plainCommand } from './plain.ts'
import { INSTEAD } from './refusal.ts'
import { SANDBOX_EXEC, seatbeltCommand } from './seatbelt.ts'
import { findOnPath } from './which.ts'

/** What a kernel is started with. */
export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The host's folder to start in. */
  readonly cwd: string
  /** What is written to the kernel's channel before the first frame. */
  readonly input: Uint8Array
  /** Whether it is a keeper and its kernel that are started. */
  readonly isKept?: boolean
  /** Whether all that is inside dies with the process that is started, once the kernel is there. */
  readonly endsAll?: boolean
  /** Descriptors that it is given after its own, from `FIRST_DOOR` on. */
  readonly doors?: readonly number[]
  /** Tells from how it has ended what it was ended for. */
  readonly explain?: (end: ChannelEnd) => ChannelEnd
  /** What an operator must mend, where it was the isolation that ended the process before it was ready. */
  readonly refusal?: (lastWords: string, detail: string) => CodeActError | undefined
}

export interface Place {
  readonly interpreter: Interpreter
  readonly start: PythonStart
  /** Whether `start` is that of a keeper and its kernel. */
  readonly isKept: boolean
  /** The sandbox's working directory, on the host. */
  readonly workspace: string
  /** A folder for temporary files, on the host, where the isolation gives none of its own. */
  readonly temporary: string
  /** The folder of forks, on the host. */
  readonly forks: string
  readonly limits: LimitSettings
  readonly options: LocalOptions
}

export interface Isolation {
  readonly name: 'bubblewrap' | 'seatbelt' | 'none'
  /** What a user is told at every start. */
  readonly notice?: string
  command(place: Place): Command
  /** Where the code finds the folder of forks, if not where the host does. */
  readonly forks?: string
}

const UNVERIFIED = 'isolated by Seatbelt, which nobody has verified yet: these rules have never run on a Mac'

/** The operating system's sandbox: bubblewrap on Linux, Seatbelt on macOS. Never falls back to none by itself. */
export async function chooseIsolation(
  wanted: LocalOptions['isolation'],
  platform: NodeJS.Platform = process.platform,
  sandboxExec = SANDBOX_EXEC,
): Promise<Isolation> {
  if (platform === 'win32') {
    throw new CodeActError('EXECUTOR_UNAVAILABLE', 'local() does not run on Windows.', {
      hint: 'Use wasm(), which runs on every system.',
    })
  }
  if (wanted === 'none') return { name: 'none', command: plainCommand }
  const own = platform === 'darwin' ? 'seatbelt' : 'bubblewrap'
  if (wanted !== undefined && wanted !== own) throw notOfThisSystem(wanted, own)
  if (platform === 'darwin') return seatbelt(sandboxExec)
  if (platform === 'linux') return bubblewrap()
  throw new CodeActError('EXECUTOR_UNAVAILABLE', 'local() isolates code on Linux and macOS only.', {
    hint: `On this system ${INSTEAD}.`,
  })
}

function bubblewrap(): Isolation {
  const file = findOnPath('bwrap')
  if (file === undefined) {
    throw new CodeActError('EXECUTOR_UNAVAILABLE', 'local() isolates code with bubblewrap, which is not installed.', {
      hint: `Install it (apt-get install bubblewrap, dnf install bubblewrap), ${INSTEAD}.`,
    })
  }
  return { name: 'bubblewrap', command: (place) => bubblewrapCommand(file, place), forks: FORKS }
}

function seatbelt(file: string): Isolation {
  if (!existsSync(file)) {
    throw new CodeActError('EXECUTOR_UNAVAILABLE', `local() isolates code with Seatbelt, but there is no ${file}.`, {
      hint: `On this system ${INSTEAD}.`,
    })
  }
  return { name: 'seatbelt', notice: UNVERIFIED, command: (place) => seatbeltCommand(file, place) }
}

function notOfThisSystem(wanted: string, own: string): CodeActError {
  return new CodeActError('OPTION_UNSUPPORTED', `local() cannot isolate code with ${wanted} on this system.`, {
    hint: `Leave isolation out, which takes ${own} here.`,
  })
}
