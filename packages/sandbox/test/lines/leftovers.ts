import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** In the environment of every process that a test of this file started, whoever its parent has become. */
export const MARK = `codeact-lines-${process.pid}-`

/** Where the sandboxes' folders are made. */
export const FOLDERS = join(tmpdir(), MARK)

/** What is left of them: folders, and processes where the system shows any. */
export async function leftovers(): Promise<readonly string[]> {
  const processes = existsSync('/proc') ? readdirSync('/proc').filter((pid) => environmentOf(pid).includes(MARK)) : []
  return [...readdirSync(tmpdir()).filter((name) => name.startsWith(MARK)), ...processes.map((pid) => `process ${pid}`)]
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}
