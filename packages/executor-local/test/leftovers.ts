import { readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { Executor } from '@codeact/spec'
import type { SuiteOptions } from '@codeact/testing'
import { type LocalOptions, local } from '../src/index.ts'

/** Processes that a test started carry this in their environment, whoever their parent has become. */
const MARK = `codeact-test-${process.pid}`

/** `local()` whose processes can be told from those of other tests. */
export function marked(more: LocalOptions = {}): (options: SuiteOptions) => Executor {
  return (options) => local({ ...options, ...more, env: { CODEACT_MARK: MARK } })
}

/** Processes and temporary folders of this test file's sandboxes. */
export async function leftovers(): Promise<readonly string[]> {
  const folders = (await readdir(tmpdir())).filter((name) => name.includes(`-${process.pid}-`))
  return [...markedProcesses(), ...folders.filter((name) => name.startsWith('codeact-'))]
}

function markedProcesses(): string[] {
  return readdirSync('/proc')
    .filter((pid) => Number(pid) > 0 && read(pid, 'environ').includes(MARK))
    .map((pid) => `process ${pid}: ${read(pid, 'cmdline').replaceAll('\0', ' ')}`)
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
