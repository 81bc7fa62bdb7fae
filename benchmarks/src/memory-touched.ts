import { setTimeout } from 'node:timers/promises'
import { tool } from '@codeact/core'
import { family, kilobytes, startedBy } from './process-memory.ts'
import { type Row, row } from './row.ts'
import { openLocal } from './subject.ts'

const CELLS = 10
/** What the copy has is held twice, and it and its keeper are there as well. */
const BUDGET = 2.1
/** Until the copy is taken. */
const REST_MS = 200

const HUNDRED_MB = 'held = bytearray(100 * 2 ** 20)'
/** Every page of it is written to. */
const REWRITE = 'held[::4096] = bytes([{n}]) * len(held[::4096])'

interface Sizes {
  /** At the end of the last cell, when what it has rewritten is no longer what its copy has. */
  readonly busy: number[]
  /** After it, when there is a new copy. */
  readonly atRest: number[]
}

/** Ten cells that rewrite a hundred megabytes each, with checkpoints and without. */
export async function memoryTouched(quick: boolean): Promise<readonly Row[]> {
  const [ours, floor]: readonly [Sizes, Sizes] = [
    { busy: [], atRest: [] },
    { busy: [], atRest: [] },
  ]
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    await rewrite(false, floor)
    await rewrite(true, ours)
  }
  return [
    row('memory, 100 MB rewritten by each cell: while the tenth runs, kB', ours.busy, floor.busy, BUDGET),
    row('memory, 100 MB rewritten by each cell: after the tenth, kB', ours.atRest, floor.atRest, BUDGET),
  ]
}

async function rewrite(checkpoint: boolean, sizes: Sizes): Promise<void> {
  const before = new Set(startedBy(process.pid).map(([root]) => root))
  const root = (): number => {
    const [found] = startedBy(process.pid).find(([pid]) => !before.has(pid)) ?? []
    if (found === undefined) throw new Error('the session was not found')
    return found
  }
  const measure = tool({
    name: 'measure',
    description: 'Measures.',
    parameters: { type: 'object', properties: {} },
    execute: () => void sizes.busy.push(kilobytes(family(root()))),
  })
  const sandbox = await openLocal([measure], checkpoint)
  const cells = Array.from({ length: CELLS }, (_, n) => REWRITE.replace('{n}', String(n)))
  for (const [n, cell] of [HUNDRED_MB, ...cells].entries()) {
    const { status, error } = await sandbox.execute(n === CELLS ? `${cell}\nmeasure()` : cell)
    if (status !== 'ok') throw new Error(`a cell ended with ${status}: ${error?.message}`)
    await setTimeout(REST_MS)
  }
  const { value } = await sandbox.execute('held[0]')
  if (value?.['text/plain'] !== String(CELLS - 1)) throw new Error('the last cell did not rewrite it')
  await setTimeout(REST_MS)
  sizes.atRest.push(kilobytes(family(root())))
  await sandbox.close()
}
