import { expect, it } from 'vitest'
import { bounded } from '../src/bounded.ts'

const never = (): Promise<never> => new Promise(() => {})

it('gives what the work gives', async () => {
  expect(await bounded('work', 10_000, async () => 7)).toBe(7)
})

it('says which call hung, for how long, and tells the work to stop', async () => {
  let told: unknown
  const hanging = bounded('create a container', 20, (signal) => {
    signal.addEventListener('abort', () => {
      told = signal.reason
    })
    return never()
  })
  await expect(hanging).rejects.toMatchObject({
    code: 'EXECUTOR_UNAVAILABLE',
    message: 'Docker did not create a container within 0.02 s.',
    isRetryable: true,
  })
  expect(told).toMatchObject({ code: 'EXECUTOR_UNAVAILABLE' })
})

it('rejects with the reason of an abort, before and while it works, and listens no longer afterwards', async () => {
  const controller = new AbortController()
  let inside: AbortSignal | undefined
  const work = bounded(
    'work',
    10_000,
    (signal) => {
      inside = signal
      return never()
    },
    controller.signal,
  )
  controller.abort('enough')
  await expect(work).rejects.toBe('enough')
  expect(inside?.aborted).toBe(true)
  await expect(bounded('work', 10_000, never, controller.signal)).rejects.toBe('enough')
})
