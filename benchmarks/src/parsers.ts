import { xml } from '@codeact/parsers'
import { actionsOf } from '@codeact/spec'
import { type Row, row } from './row.ts'

const BLOCK =
  'Let me see what is there.\n<execute>\nfor name in sorted(rows):\n    print(f"{name}: {rows[name]!r}")  # "one"\n</execute>\nAnd on.\n'
const FLOOR_MB_PER_S = 10

/** A long reply, 8 characters at a time; the ratio is the floor's time to ours. */
export function parsers(quick: boolean): Row {
  const reply = BLOCK.repeat(quick ? 2000 : 10_000)
  const megabytes = reply.length / 1e6
  const seconds: number[] = []
  for (let round = 0; round < 8; round++) seconds.push(read(reply))
  const warm = seconds.slice(3)
  const micros = (rates: readonly number[]): number[] => rates.map((one) => (one * 1e6) / megabytes)
  return row('parsing, µs per MB', micros(warm), micros([megabytes / FLOOR_MB_PER_S]), 1)
}

function read(reply: string): number {
  const start = performance.now()
  const reader = xml().start()
  let blocks = 0
  for (let at = 0; at < reply.length; at += 8) blocks += actionsOf(reader.feed(reply.slice(at, at + 8))).length
  blocks += actionsOf(reader.end('stop')).length
  if (blocks !== reply.length / BLOCK.length) throw new Error(`${blocks} blocks were found`)
  return (performance.now() - start) / 1000
}
