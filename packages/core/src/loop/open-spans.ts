import type { EventBody, Execution } from '@codeact/spec'
import { NO_USAGE } from '../usage.ts'

/**
 * What was begun inside a cell and has not ended: a tool that goes on when its cell is stopped is heard no more, and nor is a
 * run inside it. So each is closed for it.
 */
export class OpenSpans {
  readonly #open = new Map<string, EventBody>()

  see(body: EventBody): void {
    if (body.type.endsWith('-start')) this.#open.set(body.id, body)
    else if (body.type.endsWith('-end')) this.#open.delete(body.id)
  }

  /** The ends that are missing, the innermost first. */
  missing(): readonly EventBody[] {
    return [...this.#open.values()].reverse().flatMap(endOf)
  }
}

const ERROR = { code: 'ABORTED', message: 'The cell around it ended first.' }

function endOf(start: EventBody): EventBody[] {
  const { id, parent } = start
  const span = { id, ...(parent === undefined ? {} : { parent }) }
  switch (start.type) {
    case 'tool-start':
      return [{ ...span, type: 'tool-end', name: start.name, outcome: { ok: false, error: UNHEARD } }]
    case 'run-start':
      return [{ ...span, type: 'run-end', stop: 'aborted', answer: '', steps: 0, usage: NO_USAGE }]
    case 'step-start':
      return [{ ...span, type: 'step-end', actions: [], usage: NO_USAGE, error: ERROR }]
    case 'model-start':
      return [{ ...span, type: 'model-end', message: SILENCE, finish: 'aborted', usage: NO_USAGE }]
    case 'code-start':
      return [
        { ...span, type: 'code-end', action: { type: 'code', language: start.language, code: '', closed: false } },
      ]
    case 'execution-start':
      return [{ ...span, type: 'execution-end', execution: STOPPED }]
    case 'review-start':
      return [{ ...span, type: 'review-end', by: start.by, error: ERROR }]
    default:
      return []
  }
}

const UNHEARD = { name: 'Aborted', message: 'the cell ended first' }
const SILENCE = { role: 'assistant', content: [] } as const
const STOPPED: Execution = { status: 'aborted', stdout: '', stderr: '', displays: [], state: 'lost', durationMs: 0 }
