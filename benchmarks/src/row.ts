/** What a measure gives: ours beside its floor, taken in the same run. */
export interface Row {
  readonly measure: string
  /** Microseconds, where the measure says nothing else. */
  readonly ours: Spread
  readonly floor: Spread
  /** How many times the floor ours may take. */
  readonly budget: number
  readonly ratio: number
  readonly holds: boolean
}

export interface Spread {
  readonly min: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
  readonly samples: number
}

/** `allowed`: how many times the floor ours may take, or how much more than it. */
export function row(
  measure: string,
  ours: readonly number[],
  floor: readonly number[],
  allowed: number | { readonly plus: number },
): Row {
  const [a, b] = [spread(ours), spread(floor)]
  const ratio = a.p50 / b.p50
  const budget = typeof allowed === 'number' ? allowed : 1 + allowed.plus / b.p50
  return { measure, ours: a, floor: b, budget, ratio, holds: ratio <= budget }
}

function spread(samples: readonly number[]): Spread {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { min: at(0), p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1), samples: sorted.length }
}

/** What keeps a measure from being taken on this machine, and what to do about it. */
export class NotMeasured extends Error {}
