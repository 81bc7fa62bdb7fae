import type { CodeActEvent, Execution, MimeBundle, Observation, Progress } from '@codeact/spec'
import { Marked } from './marked.ts'
import { Nested } from './nested.ts'
import { type BlockOptions, Page } from './page.ts'
import { ProgressLine } from './progress-line.ts'
import { Prose } from './prose.ts'
import type { Renderer } from './renderer.ts'
import { safe } from './safe.ts'
import type { Style } from './style.ts'
import { ToolCalls } from './tool-calls.ts'

export interface TerminalOptions {
  readonly style: Style
  /** Columns for prose. */
  readonly width: number
  /** Columns at which lines of code and output are broken; `Infinity` where they are not to be. */
  readonly hardWidth: number
  /** Whether a line can be written over, for progress. */
  readonly isLive: boolean
  /** False where the user has just typed it. */
  readonly showsTask: boolean
}

const INDENT = '  '

/** A run as a person reads it: what the model says, its code behind a bar, and what the code gave. */
export class TerminalRenderer implements Renderer {
  readonly #options: TerminalOptions
  readonly #page = new Page()
  readonly #calls = new ToolCalls()
  readonly #nested = new Nested()
  readonly #progress: ProgressLine
  #open: string | undefined
  #blocks = 0
  #cells = 0
  #cellHasOutput = false
  /** The model called a tool itself in this step. */
  #hasCalled = false
  #heard = ''
  #printed = ''
  #untold: Progress | undefined

  constructor(options: TerminalOptions) {
    this.#options = options
    this.#progress = new ProgressLine(options.style)
  }

  /** What happens in runs inside this one is not told: what comes of it is. */
  show(event: CodeActEvent): string {
    if (this.#nested.has(event)) return ''
    if (event.type === 'progress') return this.#tellProgress(event)
    return this.#progress.clear() + this.#draw(event)
  }

  leave(): string {
    return this.#progress.clear() + this.#settle() + this.#page.leave()
  }

  #draw(event: CodeActEvent): string {
    const { style } = this.#options
    switch (event.type) {
      case 'run-start':
        return this.#options.showsTask ? this.#task(event.task) : ''
      case 'user-message':
        return this.#settle() + this.#task(event.text)
      case 'compaction':
        return this.#result('…', 'older messages are left out from here on', style.dim) + this.#settle()
      case 'undo':
        return this.#result('…', 'the last step is undone', style.dim) + this.#settle()
      case 'step-start':
        this.#blocks = this.#cells = 0
        this.#hasCalled = false
        this.#heard = this.#printed = ''
        return ''
      case 'reasoning-delta':
        return this.#prose('reasoning', event.text, style.dim)
      case 'text-delta':
        this.#heard += event.text
        return this.#prose('text', event.text)
      case 'code-start':
        this.#blocks += 1
        return this.#begin(event.id, this.#marked('│', style.dim))
      case 'code-delta':
        return this.#page.write(safe(event.text))
      case 'model-end':
        return this.#settle() + (this.#untold === undefined ? '' : this.#tellProgress(this.#untold))
      case 'execution-start':
        return this.#startCell()
      case 'stdout-delta':
        return this.#output('stdout', '>', event.text)
      case 'stderr-delta':
        return this.#output('stderr', '>', event.text, style.yellow)
      case 'display':
        return this.#output(`display ${event.id}`, '=', describe(event.bundle))
      case 'tool-start':
        this.#hasCalled ||= this.#cells === 0
        this.#calls.start(event.id, event.input)
        return ''
      case 'tool-end':
        return this.#call(event)
      case 'execution-end':
        return this.#endCell(event.execution)
      case 'observation':
        return this.#note(event.observation)
      case 'run-end':
        return event.stop === 'answer' ? this.#answer(event.answer) : this.#settle()
      default:
        return ''
    }
  }

  #settle(): string {
    this.#open = undefined
    return this.#endCalls() + this.#page.settle()
  }

  #task(task: string): string {
    const begun = this.#page.open(new Prose(`${INDENT}  `, this.#options.width, `${INDENT}› `), {
      paint: this.#options.style.bold,
    })
    return begun + this.#page.write(safe(task)) + this.#page.close()
  }

  /** Not into the middle of a reply, but behind it. */
  #tellProgress(progress: Progress): string {
    this.#untold = this.#open === undefined ? undefined : progress
    if (this.#untold !== undefined) return ''
    if (this.#options.isLive) return this.#page.settle() + this.#progress.show(progress)
    return this.#progress.isNews(progress)
      ? this.#result('…', progress.message, this.#options.style.dim) + this.#settle()
      : ''
  }

  #prose(kind: string, text: string, paint?: BlockOptions['paint']): string {
    const begun = this.#begin(kind, new Prose(INDENT, this.#options.width), { paint })
    return begun + this.#page.write(safe(text))
  }

  #output(kind: string, mark: string, text: string, paint?: BlockOptions['paint']): string {
    this.#cellHasOutput = true
    return this.#begin(kind, this.#marked(mark), { isResult: true, paint }) + this.#page.write(safe(text))
  }

  #call(event: Extract<CodeActEvent, { type: 'tool-end' }>): string {
    const line = this.#calls.end(event)
    if (line === '') return ''
    const { dim } = this.#options.style
    const begun = this.#page.open(this.#marked('·'), { isResult: true, paint: dim })
    this.#open = 'calls'
    return begun + this.#page.write(safe(line))
  }

  #startCell(): string {
    this.#cells += 1
    this.#cellHasOutput = false
    if (this.#blocks < 2) return ''
    return this.#whole('', `block ${this.#cells}`, { isResult: true, isApart: true, paint: this.#options.style.dim })
  }

  #endCell({ stdout, value, error, status, state, unprotected }: Execution): string {
    const { red, dim } = this.#options.style
    const shown = this.#cellHasOutput
    this.#printed += stdout
    return [
      value === undefined ? '' : this.#result('=', value['text/plain'] || describe(value)),
      error === undefined ? '' : this.#result('!', error.traceback, red),
      state === 'lost' ? this.#result('!', 'The variables from before are lost.', red) : '',
      state === 'rolled-back' ? this.#result('!', 'The variables are as they were before this code.', dim) : '',
      unprotected === undefined ? '' : this.#result('!', `No checkpoint: ${unprotected}.`, dim),
      status === 'ok' && value === undefined && !shown ? this.#result('', '(no output)', dim) : '',
    ].join('')
  }

  /** What the model is told that no cell has shown. */
  #note({ text }: Observation): string {
    const { yellow } = this.#options.style
    if (this.#cells === 0) return this.#hasCalled ? '' : this.#whole('!', text, { paint: yellow })
    if (this.#cells === this.#blocks) return ''
    return this.#whole('!', `block ${this.#cells + 1} and what follows were not run`, { paint: yellow })
  }

  #answer(answer: string): string {
    const isThere = this.#heard.includes(answer) || this.#printed.includes(answer)
    return isThere ? this.#settle() : this.#whole('»', answer) + this.#settle()
  }

  #result(mark: string, text: string, paint?: BlockOptions['paint']): string {
    return this.#whole(mark, text, { isResult: true, paint })
  }

  #whole(mark: string, text: string, options: BlockOptions = {}): string {
    this.#open = undefined
    const begun = this.#endCalls() + this.#page.open(this.#marked(mark), options)
    return begun + this.#page.write(safe(text)) + this.#page.close()
  }

  /** Goes on with what is open, if it is of this kind. */
  #begin(kind: string, flow: Marked | Prose, options: BlockOptions = {}): string {
    if (this.#open === kind) return ''
    this.#open = kind
    return this.#endCalls() + this.#page.open(flow, options)
  }

  #endCalls(): string {
    const rest = this.#calls.rest()
    if (rest === '') return ''
    const begun = this.#page.open(this.#marked(''), { isResult: true, paint: this.#options.style.dim })
    return begun + this.#page.write(rest) + this.#page.close()
  }

  #marked(mark: string, paint = (text: string) => text): Marked {
    const room = this.#options.hardWidth - INDENT.length - 2
    const isBar = mark === '│'
    const blank = mark === '' ? INDENT : `${INDENT}  `
    return new Marked(
      mark === '' ? blank : `${INDENT}${paint(mark)} `,
      isBar ? `${INDENT}${paint(mark)} ` : blank,
      room,
    )
  }
}

function describe(bundle: MimeBundle): string {
  return (
    bundle['text/plain'] ||
    `(${Object.keys(bundle)
      .filter((type) => type !== 'text/plain')
      .join(', ')})`
  )
}
