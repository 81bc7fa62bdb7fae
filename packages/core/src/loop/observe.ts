import type { CodeAction, Execution, ImagePart, MimeBundle, Observation, Rollback } from '@codeact/spec'
import type { CountTokens } from '../memory/tokens.ts'
import { cutToTokens } from './cut-to-tokens.ts'

/** How a cell is told to the model. */
export interface Telling {
  /** Tokens of an observation's text, notes left out. */
  readonly tokens: number
  readonly countTokens: CountTokens
  /** Whether the model sees images. */
  readonly vision: boolean
}

const LOST = 'The variables from before are lost: define again what you still need.'
/** Names told of those that are back. */
const MOST_NAMES = 20

const NOT_CLOSED = 'Note: the code block was not closed; what was there of it was run.'

/** What a cell gave, whole: what was printed, the value, what went wrong. */
export function outputOf({ stdout, stderr, value, displays, error }: Execution): string {
  const parts = [
    stdout.trimEnd(),
    stderr.trim() === '' ? '' : `[stderr]\n${stderr.trimEnd()}`,
    ...displays.map(describeDisplay),
    value?.['text/plain'] ?? '',
    error === undefined ? '' : error.traceback,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '(code executed successfully, no output)' : parts.join('\n')
}

/** A text, as much of it as an observation may have. */
export function observeText(whole: string, telling: Telling): Observation {
  const { text, cut } = cutToTokens(whole, telling)
  return { text, images: [], ...(cut === 0 ? {} : { cut }) }
}

/**
 * What the model is told of a cell: its output, within the tokens that it may take, and what became of its variables.
 *
 * @param file where all of the output can be read, if it is too long
 */
export function observe(action: CodeAction, execution: Execution, telling: Telling, file?: string): Observation {
  const { text, cut } = cutToTokens(outputOf(execution), telling, file)
  const images = imagesOf(execution)
  const notes = [unseen(images, telling), noteOnState(execution), action.closed ? '' : NOT_CLOSED]
  return {
    text: [text, ...notes].filter((part) => part !== '').join('\n'),
    images: telling.vision ? images : [],
    ...(cut === 0 ? {} : { cut }),
  }
}

function unseen({ length }: readonly ImagePart[], { vision }: Telling): string {
  if (vision || length === 0) return ''
  return `Note: ${length === 1 ? 'an image was' : `${length} images were`} displayed, which you cannot see.`
}

/** What became of the variables, and what may become of them, in a line. */
function noteOnState({ state, rollback, unprotected }: Execution): string {
  if (state === 'lost') return LOST
  if (rollback !== undefined) return describeRollback(rollback)
  if (unprotected === undefined) return ''
  return `Note: variables will be lost if the next code has to be killed: ${unprotected}.`
}

function describeRollback({ restored, lost }: Rollback): string {
  const more = restored.length - MOST_NAMES
  const names = restored.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '')
  const back = restored.length === 0 ? 'there were none' : `back are ${names}`
  const gone = lost.length === 0 ? '' : ` Not back: ${lost.join('; ')}.`
  return `Rolled back: the variables are as they were before this code (${back}).${gone}`
}

/** A display that is only a picture is seen as one, where the model sees; its text says that there was one. */
function describeDisplay(bundle: MimeBundle): string {
  return bundle['text/plain'] ?? `(displayed ${Object.keys(bundle).join(', ')})`
}

function imagesOf({ value, displays }: Execution): ImagePart[] {
  return [...displays, ...(value === undefined ? [] : [value])].flatMap((bundle) =>
    ['image/png', 'image/jpeg'].flatMap((mediaType) => {
      const data = bundle[mediaType]
      return data === undefined ? [] : [{ type: 'image' as const, mediaType, data }]
    }),
  )
}
