import { local } from '@codeact/executor-local'
import { poolOpening } from './pool-opening.ts'
import type { Row } from './row.ts'

export async function localPool(quick: boolean): Promise<Row> {
  await using executor = local({ pool: { size: 1 } })
  return await poolOpening(executor, quick ? 10 : 60, { name: 'local()', refillMs: 1000, budgetMicros: 3000 })
}
