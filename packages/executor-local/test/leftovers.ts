import { readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Executor } from '@codeact/spec'
import type { SuiteOptions } from '@codeact/testing'
import { type LocalOptions, local } from '../src/index.ts'
import { cgroupPlaces } from '../src/limits/cgroup-places.ts'

/** Processes that a test started carry this in their environment, whoever their parent has become. */
const MARK = `codeact-test-${process.pid}`

/** `local()` whose processes can be told from those of other tests. */
export function marked(more: LocalOptions = {}): (options: SuiteOptions) => Executor {
  return (options) => local({ ...options, ...more, env: { CODEACT_MARK: MARK } })
}

/** Processes, temporary folders and control groups of this test file's sandboxes. */
export async function leftovers(): Promise<readonly string[]> {
  const folders = (await readdir(tmpdir())).filter((name) => name.includes(`-${process.pid}-`))
  return [...markedProcesses(), ...folders.filter((name) => name.startsWith('codeact-')), ...ownGroups()]
}

/** The control groups of this process's sandboxes. */
export function ownGroups(): string[] {
  const places = new Set([...cgroupPlaces().values()].map(({ folder }) => folder))
  return [...places].flatMap((folder) =>
    readdirSync(folder).flatMap((name) => (name.includes(`-${process.pid}-`) ? [join(folder, name)] : [])),
  )
}

/** The first of each tree in which there are any: a sandbox that lives has processes that come and go. */
function markedProcesses(): string[] {
  const marked = readdirSync('/proc').filter((pid) => Number(pid) > 0 && read(pid, 'environ').includes(MARK))
  return [...new Set(marked.map(firstOf))].map((pid) => `process ${pid}: ${read(pid, 'cmdline').replaceAll('\0', ' ')}`)
}

/** The one that this process has started, or an orphan. */
function firstOf(pid: string): string {
  const parent = parentOf(pid)
  return ['', '0', '1', String(process.pid)].includes(parent) ? pid : firstOf(parent)
}

function parentOf(pid: string): string {
  const stat = read(pid, 'stat')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? ''
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
