import { CodeActError } from '@codeact/spec'

/** The options that mean the same in every executor. */
export interface SandboxOptions {
  /** Canonical names, the default language first. Default: what the executor runs best. */
  readonly languages?: readonly string[]
  /** Milliseconds that a cell may take. Default 30 000. */
  readonly timeoutMs?: number
  readonly limits?: Limits
  /** Default `none`. */
  readonly network?: 'none' | 'full' | { readonly allow: readonly string[] }
  /** Environment variables for the code. Nothing of the host's environment is passed on by itself. */
  readonly env?: Readonly<Record<string, string>>
  /** Host folders to show to the code, by the path inside. Read-only unless `writable`. */
  readonly mounts?: Readonly<Record<string, string | { readonly source: string; readonly writable?: boolean }>>
  /** Code per language, run before the first cell and again after state is lost. If it fails, `open()` does. */
  readonly setup?: Readonly<Record<string, string>>
  /** How many sandboxes to keep started before they are asked for, so that `open()` is quick. Each is used once. Default none. */
  readonly pool?: { readonly size: number }
  /**
   * Whether state is to survive a killed cell. Default: yes where the executor can, up to 1 GB of memory in the session
   * (`upTo`, bytes, or with a unit), and never more than half of `limits.memory`: beyond that, a checkpoint would cost more than it
   * is worth, and `Execution.unprotected` says so.
   */
  readonly checkpoint?: boolean | { readonly upTo: number | string }
}

export interface Limits {
  /** Bytes, or with a unit: `512m`, `2g`. */
  readonly memory?: number | string
  readonly cpus?: number
  readonly processes?: number
  /** Open files. */
  readonly files?: number
  /** Bytes, or with a unit. */
  readonly disk?: number | string
  /** Bytes of stdout and of stderr that are kept, or with a unit. Default `1m`. */
  readonly output?: number | string
}

/** An option that an executor may have to refuse, or one value of it. */
export type OptionName =
  | Exclude<keyof SandboxOptions, 'languages' | 'limits' | 'timeoutMs' | 'setup' | 'network'>
  | `limits.${keyof Limits}`
  | 'network.full'
  | 'network.allow'

/** Options of one sandbox after checking, in the units that the code works with. */
export interface CheckedOptions {
  /** These and no others, the default first. Undefined: whatever the sandbox turns out to run. */
  readonly languages?: readonly string[]
  readonly timeoutMs: number
  /** Bytes. */
  readonly output: number
  readonly setup: Readonly<Record<string, string>>
}

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_OUTPUT = '1m'

/** What an executor says of itself, as far as its options are concerned. */
interface Honoured {
  readonly name: string
  readonly languages: readonly string[]
  readonly options: SandboxOptions
  readonly unsupported: Readonly<Partial<Record<OptionName, string>>>
}

/** Checks the common options; one that the executor cannot honour is refused with the reason it gave, never ignored. */
export function checkOptions({ name: executor, languages, options, unsupported }: Honoured): CheckedOptions {
  for (const [name, reason] of Object.entries(unsupported)) {
    if (isAskedFor(options, name as OptionName)) throw refused(executor, name, reason)
  }
  const chosen = options.languages ?? languages
  if (chosen.length === 0) throw invalid(executor, 'languages', 'a list of at least one language', chosen)
  refuseOthers(executor, chosen, languages)
  refuseOthers(executor, Object.keys(options.setup ?? {}), chosen)
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
  if (!(timeoutMs > 0)) throw invalid(executor, 'timeoutMs', 'a positive number of milliseconds', options.timeoutMs)
  const output = parseBytes(executor, 'limits.output', options.limits?.output ?? DEFAULT_OUTPUT)
  checkpointBytes(executor, options)
  const size = options.pool?.size
  if (size !== undefined && !(Number.isInteger(size) && size >= 0))
    throw invalid(executor, 'pool.size', 'a whole number', size)
  return { languages: options.languages, timeoutMs, output, setup: options.setup ?? {} }
}

function refuseOthers(executor: string, wanted: readonly string[], languages: readonly string[]): void {
  const other = wanted.find((language) => !languages.includes(language))
  if (other !== undefined) throw refused(executor, other, `it runs ${languages.join(', ')}`)
}

const DEFAULT_CHECKPOINT = '1g'

/**
 * Of the memory limit, what a session may hold and still be copied: what the code changes is there twice from then on, and both
 * count.
 */
export const CHECKPOINT_SHARE = 0.5

/**
 * Bytes of memory up to which checkpoints are taken, in a sandbox that may have `memory` bytes in all; undefined where there are
 * to be none.
 */
export function checkpointBytes(
  executor: string,
  { checkpoint = true }: SandboxOptions,
  memory = Number.POSITIVE_INFINITY,
): number | undefined {
  if (checkpoint === false) return undefined
  const upTo = parseBytes(executor, 'checkpoint.upTo', checkpoint === true ? DEFAULT_CHECKPOINT : checkpoint.upTo)
  return Math.min(upTo, Math.floor(memory * CHECKPOINT_SHARE))
}

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

/** `512m` as a number of bytes; units are powers of 1024. */
export function parseBytes(executor: string, name: string, value: number | string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([kmg]?)i?b?$/i.exec(String(value))
  const bytes = match === null ? Number.NaN : Number(match[1]) * (UNITS[(match[2] ?? '').toLowerCase()] ?? Number.NaN)
  if (!(bytes > 0)) throw invalid(executor, name, "a number of bytes such as 1048576 or '512m'", value)
  return Math.floor(bytes)
}

/** A number that is no smaller than `least`. */
export function numberFrom(least: number, executor: string, name: string, value: number): number {
  if (Number.isFinite(value) && value >= least) return value
  throw invalid(executor, name, `a number that is at least ${least}`, value)
}

/** The same of whole numbers. */
export function wholeFrom(least: number, executor: string, name: string, value: number): number {
  if (Number.isInteger(value) && value >= least) return value
  throw invalid(executor, name, `a whole number that is at least ${least}`, value)
}

function isAskedFor(options: SandboxOptions, name: OptionName): boolean {
  if (name === 'network.full') return options.network === 'full'
  if (name === 'network.allow') return typeof options.network === 'object'
  if (name === 'checkpoint') return options.checkpoint !== undefined && options.checkpoint !== false
  const value = name.startsWith('limits.')
    ? options.limits?.[name.slice('limits.'.length) as keyof Limits]
    : options[name as keyof SandboxOptions]
  return value !== undefined
}

function refused(executor: string, name: string, reason: string): CodeActError {
  return new CodeActError('OPTION_UNSUPPORTED', `${executor}() cannot honour the option ${name}: ${reason}.`, {
    hint: `Leave ${name} out, or take another executor.`,
  })
}

function invalid(executor: string, name: string, expected: string, got: unknown): CodeActError {
  return new CodeActError('OPTION_INVALID', `${executor}(): ${name} must be ${expected}, not ${JSON.stringify(got)}.`)
}
