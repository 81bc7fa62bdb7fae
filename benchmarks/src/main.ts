import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { checkpointAfterThinking, checkpointBackToBack, checkpointOfLargeHeap } from './checkpoint.ts'
import { coldStart, coldStartClean } from './cold-start.ts'
import { dockerColdStart } from './docker-cold-start.ts'
import { dockerPool } from './docker-pool.ts'
import { dockerWarmCell } from './docker-warm-cell.ts'
import { forkSmall, restoreLarge } from './fork.ts'
import { localPool } from './local-pool.ts'
import { loopFlat, loopStep } from './loop.ts'
import { memory } from './memory.ts'
import { memoryOfDocker } from './memory-docker.ts'
import { memoryOfHost } from './memory-host.ts'
import { memoryTouched } from './memory-touched.ts'
import { memoryOfWasm } from './memory-wasm.ts'
import { parsers } from './parsers.ts'
import { poolBurst } from './pool-burst.ts'
import { poolRate } from './pool-rate.ts'
import { NotMeasured, type Row } from './row.ts'
import { toolCall } from './tool-call.ts'
import { warmCell } from './warm-cell.ts'

const MEASURES: Readonly<Record<string, (quick: boolean) => Row | Promise<Row | readonly Row[]>>> = {
  'warm-cell': warmCell,
  'tool-call': toolCall,
  'cold-start': coldStart,
  'cold-start-clean': coldStartClean,
  pool: localPool,
  'pool-burst': poolBurst,
  'pool-rate': poolRate,
  'checkpoint-thinking': checkpointAfterThinking,
  'checkpoint-back-to-back': checkpointBackToBack,
  'checkpoint-100mb': checkpointOfLargeHeap,
  fork: forkSmall,
  'restore-large': restoreLarge,
  memory,
  'memory-touched': memoryTouched,
  'memory-host': memoryOfHost,
  'memory-wasm': memoryOfWasm,
  'docker-warm-cell': dockerWarmCell,
  'docker-pool': dockerPool,
  'docker-cold-start': dockerColdStart,
  'docker-memory': memoryOfDocker,
  parsers,
  'loop-step': loopStep,
  'loop-flat': loopFlat,
}

/** Takes the measures that are named, or all, one after the other; tells them as a table, and keeps all figures. */
async function main(args: readonly string[]): Promise<void> {
  const quick = args.includes('--quick')
  const names = args.filter((arg) => arg !== '--quick')
  const unknown = names.find((name) => !Object.hasOwn(MEASURES, name))
  if (unknown !== undefined)
    throw new Error(`There is no measure ${unknown}; there are ${Object.keys(MEASURES).join(', ')}.`)
  console.log(
    '| measure | p50 | p95 | floor p50 | floor p95 | ratio | budget | |\n| --- | --- | --- | --- | --- | --- | --- | --- |',
  )
  const rows: (Row | Gap)[] = []
  for (const [name, measure] of Object.entries(MEASURES)) {
    if (names.length > 0 && !names.includes(name)) continue
    for (const row of await taken(name, () => measure(quick))) {
      rows.push(row)
      console.log('notMeasured' in row ? gap(row) : line(row))
    }
  }
  const about = { node: process.version, at: new Date().toISOString(), load: loadavg() }
  await writeFile(new URL('../results.json', import.meta.url), `${JSON.stringify({ ...about, rows }, null, 2)}\n`)
}

/** The place of a measure that this machine cannot take. */
interface Gap {
  readonly measure: string
  readonly notMeasured: string
}

async function taken(
  measure: string,
  take: () => Row | Promise<Row | readonly Row[]>,
): Promise<readonly (Row | Gap)[]> {
  try {
    return [await take()].flat()
  } catch (error) {
    if (error instanceof NotMeasured) return [{ measure, notMeasured: error.message }]
    throw error
  }
}

function gap({ measure, notMeasured }: Gap): string {
  return `| ${measure} | not measured: ${notMeasured} |${' |'.repeat(6)}`
}

function line({ measure, ours, floor, ratio, budget, holds }: Row): string {
  const cells = [ours.p50, ours.p95, floor.p50, floor.p95].map((micros) => micros.toFixed(0))
  return `| ${[measure, ...cells, ratio.toFixed(2), budget.toFixed(2), holds ? 'holds' : 'does not hold'].join(' | ')} |`
}

await main(process.argv.slice(2))
