import { CodeActError } from '@codeact/spec'
import { prose } from './render/prose.ts'
import { safe } from './render/safe.ts'
import { styleFor, takesColours } from './render/style.ts'

/** What was asked for cannot be begun: it has to be typed, or configured, differently. */
const NOT_BEGUN: ReadonlySet<string> = new Set([
  'USAGE',
  'CONFIG_NOT_FOUND',
  'CONFIG_INVALID',
  'ADAPTER_UNKNOWN',
  'PACKAGE_MISSING',
  'MODEL_MISSING',
  'MODELS_UNKNOWN',
  'MODEL_KEY_MISSING',
  'EXECUTOR_KEY_MISSING',
  'MODEL_BASE_URL',
  'MODEL_INVALID',
  'OPTION_INVALID',
  'PRICE_UNKNOWN',
  'OPTION_UNSUPPORTED',
  'RECORDING_INVALID',
])

/** Tells an error to a person, and gives the exit code: 2 where nothing was begun, else 1. */
export function reportError(error: unknown): number {
  const { stderr } = process
  const { red } = styleFor(takesColours(stderr))
  const text = prose(
    `codeact: ${safe(describeError(error))}`,
    '',
    stderr.isTTY ? stderr.columns : Number.POSITIVE_INFINITY,
  )
  stderr.write(`${text.replace(/^codeact:/, red)}\n`)
  return CodeActError.is(error) && NOT_BEGUN.has(error.code) ? 2 : 1
}

/** Message and hint; of what should not have happened, the stack. */
export function describeError(error: unknown): string {
  if (!CodeActError.is(error)) return error instanceof Error ? (error.stack ?? error.message) : String(error)
  return [error.message, ...(error.hint === undefined ? [] : [`  ${error.hint.replaceAll('\n', '\n  ')}`])].join('\n')
}
