import { CodeActError } from '@codeact/spec'
import { bubblewrapCommand } from './bubblewrap.ts'
import type { Interpreter } from './interpreter.ts'
import type { LocalOptions } from './local.ts'
import { plainCommand } from './plain.ts'
import { INSTEAD } from './refusal.ts'
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
}

export interface Place {
  readonly interpreter: Interpreter
  /** The sandbox's working directory, on the host. */
  readonly workspace: string
  readonly options: LocalOptions
}

export interface Isolation {
  readonly name: 'bubblewrap' | 'none'
  command(place: Place): Command
}

/** The operating system's sandbox. Never falls back to none by itself. */
export async function chooseIsolation(wanted: LocalOptions['isolation']): Promise<Isolation> {
  if (process.platform === 'win32') {
    throw new CodeActError('EXECUTOR_UNAVAILABLE', 'local() does not run on Windows.', {
      hint: 'Use wasm(), which runs on every system.',
    })
  }
  if (wanted === 'none') return { name: 'none', command: plainCommand }
  if (process.platform !== 'linux') {
    throw new CodeActError('EXECUTOR_UNAVAILABLE', 'local() isolates code with bubblewrap, which is for Linux.', {
      hint: `On this system ${INSTEAD}.`,
    })
  }
  const file = await findOnPath('bwrap')
  if (file === undefined) {
    throw new CodeActError('EXECUTOR_UNAVAILABLE', 'local() isolates code with bubblewrap, which is not installed.', {
      hint: `Install it (apt-get install bubblewrap, dnf install bubblewrap), ${INSTEAD}.`,
    })
  }
  return { name: 'bubblewrap', command: (place) => bubblewrapCommand(file, place) }
}
