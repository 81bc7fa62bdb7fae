import { setTimeout as sleep } from 'node:timers/promises'

/** Gathers what a callback of the SDK is given. */
export function collector(): { readonly text: string; take(text: string): void } {
  const collected = {
    text: '',
    take(text: string) {
      collected.text += text
    },
  }
  return collected
}

/** The test's own time limit is the only one. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5)
}
