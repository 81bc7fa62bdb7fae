import type { CodeAction, Execution, ImagePart, MimeBundle, Observation } from '@codeact/spec'
import { cutMiddle } from './cut-middle.ts'

/** Characters of an observation's text, by default. */
const DEFAULT_LIMIT = 10_000

const LOST = 'The variables from before are lost: define again what you still need.'
const NOT_CLOSED = 'Note: the code block was not closed; what was there of it was run.'

/** What the model is told of a cell: what was printed, the value, what went wrong, and what became of its variables. */
export function observe(action: CodeAction, execution: Execution): Observation {
  const { stdout, stderr, value, displays, error, state } = execution
  const parts = [
    stdout.trimEnd(),
    stderr.trim() === '' ? '' : `[stderr]\n${stderr.trimEnd()}`,
    ...displays.map(describeDisplay),
    value?.['text/plain'] ?? '',
    error === undefined ? '' : error.traceback,
  ].filter((part) => part !== '')
  const output = parts.length === 0 ? '(code executed successfully, no output)' : parts.join('\n')
  const observed = observeText(output)
  const notes = [state === 'lost' ? LOST : '', action.closed ? '' : NOT_CLOSED].filter((note) => note !== '')
  return { ...observed, text: [observed.text, ...notes].join('\n'), images: imagesOf(execution) }
}

/** A text, as much of it as an observation may have. */
export function observeText(whole: string): Observation {
  const { text, cut } = cutMiddle(whole, DEFAULT_LIMIT)
  return { text, images: [], ...(cut === 0 ? {} : { cut }) }
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
