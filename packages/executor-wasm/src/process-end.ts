import { type ChannelEnd, limitEnd } from '@codeact/sandbox'

const OUT_OF_MEMORY = /out of memory|allocation failed/i

/** How a process ended, in the words of whoever was not there. */
export function processEnd(code: number | null, signal: NodeJS.Signals | null, lastWords: string): ChannelEnd {
  const lastLine = lastWords.split('\n').at(-1) ?? ''
  if (OUT_OF_MEMORY.test(lastWords)) return limitEnd('memory')
  if (signal !== null) return { reason: 'signal', detail: signal }
  return { reason: 'exit', detail: lastLine === '' ? `exit code ${code}` : `exit code ${code}: ${lastLine}` }
}
