import type { CodeActEvent } from '@codeact/spec'
import { json } from './render/json.ts'
import type { Renderer } from './render/renderer.ts'
import { type Style, styleFor, takesColours } from './render/style.ts'
import { TerminalRenderer } from './render/terminal.ts'

/** Where a run is told, and where the command itself speaks. */
export interface Screen {
  /** Style for what is said. */
  readonly style: Style
  /** Columns for prose and tables. */
  readonly width: number
  /** Whether a person watches it as it comes. */
  readonly isWatched: boolean
  show(event: CodeActEvent): void
  /** A line of the command's own, or several; without text, an empty one. */
  say(text?: string): void
}

export interface ScreenOptions {
  /** Events go to stdout as JSON, and nothing else does. */
  readonly json: boolean
  /** False where the user types the tasks here. */
  readonly showsTask?: boolean
}

const WIDEST = 96
const NARROWEST = 40
const PLAIN_WIDTH = 80

export function openScreen({ json: isJson, showsTask = true }: ScreenOptions): Screen {
  const out = isJson ? process.stderr : process.stdout
  const style = styleFor(takesColours(out))
  const isWatched = process.stdout.isTTY === true && !isJson
  const columns = out.isTTY === true ? out.columns : undefined
  const width = Math.min(WIDEST, Math.max(NARROWEST, columns ?? PLAIN_WIDTH))
  const hardWidth = columns === undefined ? Number.POSITIVE_INFINITY : width
  const renderer: Renderer = isJson
    ? json
    : new TerminalRenderer({ style, width, hardWidth, isLive: isWatched, showsTask })
  return {
    style,
    width,
    isWatched,
    show: (event) => write(process.stdout, renderer.show(event)),
    say: (text = '') => {
      if (!isJson) write(process.stdout, renderer.leave())
      write(out, `${text}\n`)
    },
  }
}

function write(stream: NodeJS.WriteStream, text: string): void {
  if (text !== '') stream.write(text)
}
