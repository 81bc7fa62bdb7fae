import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { CodeActError, type CodeActEvent } from '@codeact/spec'

/** Where the events of a run go as they happen: a file, to the end of which each is added as a line of JSON; or a function. */
export type Log = string | ((event: CodeActEvent) => void)

/** A log that is being written. */
export interface LogWriter {
  write(event: CodeActEvent): void
  close(): void
}

/**
 * Opens a log. Each event is handed to the system before the run goes on, so that what is lost with the host is at most the
 * event under way.
 *
 * @throws CodeActError `LOG_UNWRITABLE`
 */
export function openLog(log: Log): LogWriter {
  if (typeof log === 'function') return { write: log, close: () => {} }
  const file = attempt(log, () => openSync(log, 'a+'))
  attempt(log, () => mendEnd(file))
  let isOpen = true
  return {
    write: (event) => attempt(log, () => writeWhole(file, `${JSON.stringify(event)}\n`)),
    close: () => {
      if (isOpen) closeSync(file)
      isOpen = false
    },
  }
}

/** A system may take less than it is given. */
function writeWhole(file: number, line: string): void {
  const bytes = Buffer.from(line)
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
}

/** A line that a lost host left half written goes, so that each line is an event. */
function mendEnd(file: number): void {
  if (fstatSync(file).size === 0) return
  const bytes = readFileSync(file)
  const end = bytes.lastIndexOf(NEWLINE) + 1
  if (end === bytes.length) return
  if (isJson(bytes.subarray(end).toString())) writeSync(file, '\n')
  else ftruncateSync(file, end)
}

const NEWLINE = 0x0a

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

function attempt<T>(log: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new CodeActError('LOG_UNWRITABLE', `The log ${log} cannot be written (${(cause as Error).message}).`, {
      hint: 'Make its folder, or room on the disk, or log to another file.',
      cause,
    })
  }
}
