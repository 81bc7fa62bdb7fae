import type { Sandbox } from '@codeact/spec'
import { inTurns } from './in-turns.ts'
import { type Row, row } from './row.ts'
import { openLocal } from './subject.ts'

const FORK_BUDGET_MICROS = 5000

/** A hundred megabytes that are not one block: lists, texts and numbers, and what a file of them would hold. */
const RECORDS =
  'import pickle\nrecords = [{"id": n, "name": "name %d" % n, "rows": [n, n / 3]} for n in range(250_000)]\nkept = pickle.dumps(records)'
const UNPICKLE = 'records = pickle.loads(kept)\nlen(records)'

/** An independent twin of a session that holds little, ready for its first cell, which is run. */
export async function forkSmall(quick: boolean): Promise<Row> {
  return withSandbox('x = 41', async (sandbox) => {
    const { ours } = await inTurns(
      quick ? 2 : 10,
      3,
      () => forked(sandbox),
      async () => undefined,
    )
    return row('fork() of a small session, and its first cell, µs', ours, [FORK_BUDGET_MICROS], 1)
  })
}

/** Going back to a checkpoint of a large session, beside reading its variables from bytes that are in memory already. */
export async function restoreLarge(quick: boolean): Promise<Row> {
  return withSandbox(RECORDS, async (sandbox) => {
    const id = (await sandbox.checkpoint?.()) ?? ''
    const { ours, floor } = await inTurns(
      quick ? 2 : 10,
      2,
      async () => sandbox.restore?.(id),
      () => cell(sandbox, UNPICKLE, '250000'),
    )
    await cell(sandbox, 'len(records)', '250000')
    return row('restore() of 250,000 records: µs', ours, floor, 2)
  })
}

async function forked(sandbox: Sandbox): Promise<void> {
  const twin = await sandbox.fork?.()
  if (twin === undefined) throw new Error('there is no fork()')
  await cell(twin, 'x + 1', '42')
  await twin.close()
}

async function cell(sandbox: Sandbox, code: string, expected: string): Promise<void> {
  const { status, value } = await sandbox.execute(code)
  if (status !== 'ok' || value?.['text/plain'] !== expected)
    throw new Error(`the cell gave ${status}, ${value?.['text/plain']}`)
}

async function withSandbox(setup: string, measure: (sandbox: Sandbox) => Promise<Row>): Promise<Row> {
  const sandbox = await openLocal()
  try {
    await sandbox.execute(setup)
    return await measure(sandbox)
  } finally {
    await sandbox.close()
  }
}
