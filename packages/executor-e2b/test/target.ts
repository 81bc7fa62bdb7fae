import { onRequest, requirement } from '@codeact/testing'
import { afterAll } from 'vitest'
import { e2b } from '../src/index.ts'
import { type Emulator, startEmulator } from './emulator/emulator.ts'

/** With a key, and no word to the contrary, the suites run in E2B's cloud. */
export const isCloud = Boolean(process.env.E2B_API_KEY) && process.env.CODEACT_E2B_EMULATOR === undefined

/** What the emulator's sandboxes are made of. */
const bubblewrap = await requirement('bubblewrap', async () => {
  await using emulator = await startEmulator()
  await using executor = e2b(emulator.connection)
  await executor.open()
})

export const target = isCloud ? { name: 'e2b', isMet: true, reason: '' } : bubblewrap
export const slow = target.isMet ? onRequest('slow') : target

let running: Promise<Emulator> | undefined

/** The emulator of this file, or of one test where it is given. */
export function emulator(): Promise<Emulator> {
  running ??= startEmulator()
  return running
}

afterAll(async () => {
  await (await running)?.close()
})
