import { docker } from '@codeact/executor-docker'
import { testImage } from './docker-engine.ts'
import { poolOpening } from './pool-opening.ts'
import type { Row } from './row.ts'

export async function dockerPool(quick: boolean): Promise<Row> {
  await using executor = docker({ image: await testImage(), pool: { size: 1 } })
  return await poolOpening(executor, quick ? 6 : 21, { name: 'docker()', refillMs: 2000, budgetMicros: 20_000 })
}
