/** Times one piece of work, in microseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) * 1000
}

/**
 * Samples of two kinds of work, a batch of one and a batch of the other by turns, so that both meet the same machine. The first
 * tenth is thrown away: it is the compiler that is measured there.
 *
 * @param settle awaited after each sample, and no part of it: what the next one is not to be disturbed by
 */
export async function inTurns(
  rounds: number,
  batch: number,
  ours: () => Promise<unknown>,
  floor: () => Promise<unknown>,
  settle: () => Promise<unknown> = async () => undefined,
): Promise<{ readonly ours: number[]; readonly floor: number[] }> {
  const samples = { ours: [] as number[], floor: [] as number[] }
  const take = async (work: () => Promise<unknown>, into: number[]): Promise<void> => {
    for (let n = 0; n < batch; n++) {
      into.push(await timed(work))
      await settle()
    }
  }
  for (let round = 0; round < rounds; round++) {
    await take(floor, samples.floor)
    await take(ours, samples.ours)
  }
  const warm = Math.floor((rounds * batch) / 10)
  return { ours: samples.ours.slice(warm), floor: samples.floor.slice(warm) }
}
