import { constants } from 'node:os'
import type { ChannelEnd } from '@codeact/sandbox'

/** What a process's exit means. bubblewrap passes its child's death on as a shell does: 128 and the number of the signal. */
export function processEnd(code: number | null, signal: NodeJS.Signals | null, lastWords: string): ChannelEnd {
  const name = signal ?? signalName((code ?? 0) - 128)
  if (name !== undefined) return { reason: 'signal', detail: name }
  return { reason: 'exit', detail: `exit code ${code}${code !== 0 && lastWords !== '' ? `: ${lastWords}` : ''}` }
}

function signalName(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0]
}
