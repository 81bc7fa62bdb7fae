import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { orAborted } from '../src/index.ts'

const never = new Promise<never>(() => {})

describe('orAborted', () => {
  it('settles as the work does, and leaves no listener', async () => {
    const { signal } = new AbortController()
    expect(await orAborted(Promise.resolve(1), signal)).toBe(1)
    await expect(orAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken')
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('rejects at the abort, with its reason or another', async () => {
    const controller = new AbortController()
    const [plain, named] = [orAborted(never, controller.signal), orAborted(never, controller.signal, () => 'stopped')]
    controller.abort('enough')
    await expect(plain).rejects.toBe('enough')
    await expect(named).rejects.toBe('stopped')
  })

  it('rejects at once where the abort came first, and handles what the work does then', async () => {
    await expect(orAborted(Promise.reject(new Error('unheard')), AbortSignal.abort('early'))).rejects.toBe('early')
  })
})
