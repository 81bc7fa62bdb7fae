import { CodeActError } from '@codeact/spec'
import { nearest } from './nearest.ts'

/** Where a value was written, for messages: a file, a flag, a variable. */
export interface Origin {
  /** `codeact.config.json`, `--executor`, `CODEACT_MODEL`. */
  readonly name: string
  /** What to do when the value is wrong. */
  readonly fix: string
  /** The folder that relative paths count from. */
  readonly folder: string
}

/** One thing that is wrong, and the path to it: `executor.limits.memory`; empty for the whole. */
export interface Issue {
  readonly path: string
  readonly text: string
}

export function configInvalid(origin: Origin, issues: readonly Issue[], cause?: unknown): CodeActError {
  return new CodeActError('CONFIG_INVALID', issues.map((issue) => lineOf(origin, issue)).join('\n'), {
    hint: origin.fix,
    cause,
  })
}

/** @param forms how the known names are written, for a reader: `openai:MODEL` */
export function adapterUnknown(
  origin: Origin,
  { path, text }: Issue,
  name: string,
  forms: Readonly<Record<string, string>>,
): CodeActError {
  return new CodeActError('ADAPTER_UNKNOWN', lineOf(origin, { path, text }), {
    hint: `${didYouMean(name, Object.keys(forms))}Known are ${Object.values(forms).join(', ')}.`,
  })
}

export function unknownOption(key: string, known: readonly string[]): string {
  const meant = nearest(key, known)
  return meant === undefined
    ? `unknown option; known here are ${known.join(', ')}`
    : `unknown option; did you mean ${JSON.stringify(meant)}?`
}

function didYouMean(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return meant === undefined ? '' : `Did you mean ${JSON.stringify(meant)}? `
}

function lineOf(origin: Origin, { path, text }: Issue): string {
  return [origin.name, path, text].filter((part) => part !== '').join(': ')
}
