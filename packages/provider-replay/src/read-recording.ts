import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { CodeActError, type CodeActEvent } from '@codeact/spec'
import { type RecordedEvent, recordedEvent } from './recorded-event.ts'
import { type Recording, toRecording } from './recording.ts'

/** Reads a recording: a file of JSON lines, or events. Throws `RECORDING_INVALID`, which names the file and the line. */
export function readRecording(source: string | readonly CodeActEvent[]): Recording {
  if (typeof source !== 'string')
    return withReplies(
      'events',
      source.map((event, index) => check(event, `events[${index}]`)),
    )
  const lines = textOf(source).split(/\r?\n/)
  return withReplies(
    basename(source),
    lines.map((line, index) => {
      const value = line.trim() === '' ? undefined : parsed(line)
      // A host that was lost may have left its last line half written.
      const isTorn = value instanceof SyntaxError && index > 0 && index === lines.length - 1
      return value === undefined || isTorn ? undefined : check(value, `${source}:${index + 1}`)
    }),
  )
}

function withReplies(name: string, events: readonly (RecordedEvent | undefined)[]): Recording {
  const recording = ordered(
    name,
    events.filter((event) => event !== undefined),
  )
  if (recording.turns.length === 0) throw invalid(name, 'it holds no reply of a model (a model-end event)')
  return recording
}

function ordered(name: string, events: readonly RecordedEvent[]): Recording {
  try {
    return toRecording(name, events)
  } catch (error) {
    throw invalid(name, (error as Error).message, error)
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw invalid(file, isMissing ? 'there is no such file' : String((error as Error).message), error)
  }
}

/** Undefined where the line is not JSON: `check` then says so. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    return error
  }
}

function check(value: unknown, where: string): RecordedEvent | undefined {
  if (value instanceof SyntaxError) throw invalid(where, `this line is not JSON (${value.message})`, value)
  try {
    return recordedEvent(value)
  } catch (error) {
    throw invalid(where, (error as Error).message, error)
  }
}

function invalid(where: string, what: string, cause?: unknown): CodeActError {
  return new CodeActError('RECORDING_INVALID', `The recording cannot be played: ${where}: ${what}.`, {
    hint: 'A recording is the event log of a run, one JSON object a line; record(model, file) writes one.',
    cause,
  })
}
