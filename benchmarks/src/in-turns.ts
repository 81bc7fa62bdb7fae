/** Times one piece of work, in microseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) * 1000
}

/**
 * Samples of two kinds of work, a batch of one and a batch of the other by turns, so that both meet the same machine. The first
 * tenth is thrown away: it is the compiler that is measured there.
 */
export async function inTurns(
  rounds: number,
  batch: number,
  ours: () => Promise<unknown>,
  floor: () => Promise<unknown>,
): Promise<{ readonly ours: number[]; readonly floor: number[] }> {
  const samples = { ours: [] as number[], floor: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < batch; n++) samples.floor.push(await timed(floor))
    for (let n = 0; n < batch; n++) samples.ours.push(await timed(ours))
  }
  const warm = Math.floor((rounds * batch) / 10)
  return { ours: samples.ours.slice(warm), floor: samples.floor.slice(warm) }
}
