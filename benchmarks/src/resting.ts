import { setTimeout } from 'node:timers/promises'
import type { Sandbox } from '@codeact/spec'
import { processEcho } from './process-echo.ts'
import { kilobytes, startedBy } from './process-memory.ts'
import { python } from './subject.ts'

/** At so many at once they are started; more would only wait for each other. */
const AT_ONCE = 4
const PATIENCE_MS = 10_000

/** A session's budget is its floor and so many kilobytes. */
export const MARGIN_KB = 2048

/** Sessions that have run a cell and rest, and the kilobytes of each, with all its processes. `processes`: how many that are. */
export async function restingKilobytes(
  count: number,
  processes: number,
  open: () => Promise<Sandbox>,
): Promise<readonly number[]> {
  const before = new Set(startedBy(process.pid).map(([root]) => root))
  const sandboxes = await several(count, open)
  try {
    for (const sandbox of sandboxes) {
      const { value } = await sandbox.execute('1 + 1')
      if (value?.['text/plain'] !== '2') throw new Error('1 + 1 is not 2')
    }
    const started = () => startedBy(process.pid).filter(([root]) => !before.has(root))
    await until(() => started().filter((family) => family.length === processes).length === count)
    return started().map(kilobytes)
  } finally {
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
  }
}

/** As many bare interpreters that wait for a line, and the kilobytes of each. */
export async function bareKilobytes(count: number): Promise<readonly number[]> {
  const interpreter = await python()
  const before = new Set(startedBy(process.pid).map(([root]) => root))
  const echoes = await several(count, async () => {
    const echo = processEcho(interpreter, BARE)
    await echo.run('')
    return echo
  })
  const found = startedBy(process.pid).filter(([root]) => !before.has(root))
  const sizes = found.map(kilobytes)
  await Promise.all(echoes.map((echo) => echo.close()))
  if (sizes.length !== count) throw new Error(`${sizes.length} interpreters were found, not ${count}`)
  return sizes
}

/** Says of each line that it has come, and loads nothing for it. */
export const BARE = `
import sys
for n, line in enumerate(sys.stdin, 1):
    print('{"ok": true, "id": %d}' % n, flush=True)
`

async function several<T>(count: number, one: () => Promise<T>): Promise<T[]> {
  const all: T[] = []
  while (all.length < count) {
    const next = Array.from({ length: Math.min(AT_ONCE, count - all.length) }, one)
    all.push(...(await Promise.all(next)))
  }
  return all
}

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!isSo()) {
    if (performance.now() > end) throw new Error('the sessions have other processes than they should')
    await setTimeout(50)
  }
}
