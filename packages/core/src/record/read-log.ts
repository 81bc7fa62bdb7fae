import { readFileSync } from 'node:fs'
import { CodeActError, type CodeActEvent, type SavedSession } from '@codeact/spec'
import { checkSaved } from './check-saved.ts'
import { History } from './history.ts'

/** What can be gone on from: a log, as a file of JSON lines or as its events; or what `session.save()` gave. */
export type Past = string | readonly CodeActEvent[] | SavedSession

/**
 * The session that a log, or a saved one, comes to: the last conversation in it.
 *
 * @throws CodeActError `LOG_INVALID` for a log that cannot be read, or does not say how its conversation began; `SAVED_INVALID`
 */
export function readPast(past: Past): SavedSession {
  if (typeof past !== 'string' && !Array.isArray(past)) return checkSaved(past as SavedSession)
  const history = new History()
  for (const event of typeof past === 'string' ? eventsIn(past) : (past as readonly CodeActEvent[])) history.see(event)
  const saved = history.save()
  if (saved.messages[0]?.role === 'system') return saved
  throw invalid(typeof past === 'string' ? past : 'it', 'does not say how the conversation began')
}

/** The last line may be half written: then its event was the one that the host was lost in. */
function eventsIn(file: string): CodeActEvent[] {
  const lines = textOf(file).split('\n')
  const last = lines.length - 1
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const event = eventIn(line)
    if (event !== undefined) return [event]
    if (index === last) return []
    throw invalid(`${file}:${index + 1}`, 'is not an event, as one line of JSON')
  })
}

function eventIn(line: string): CodeActEvent | undefined {
  try {
    const value = JSON.parse(line) as Partial<CodeActEvent> | null
    return typeof value?.type === 'string' ? (value as CodeActEvent) : undefined
  } catch {
    return undefined
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw invalid(file, `cannot be read (${(cause as Error).message})`, cause)
  }
}

function invalid(what: string, why: string, cause?: unknown): CodeActError {
  return new CodeActError('LOG_INVALID', `The log cannot be gone on from: ${what} ${why}.`, {
    hint: 'A log is what agent.run(task, { log: file }) writes, from the first run of its session on.',
    cause,
  })
}
