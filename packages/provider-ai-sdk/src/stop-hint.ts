import type { Fault } from '@codeact/model'
import { isRecord } from './stream-part.ts'

/** True where a provider that knows its model left the stop sequences out, and says so when the reply starts. */
export function leavesOutStop(warnings: unknown): boolean {
  return Array.isArray(warnings) && warnings.some(isAboutStop)
}

/** V2 says `unsupported-setting` and `setting`, V3 and V4 `unsupported` and `feature`. */
function isAboutStop(warning: unknown): boolean {
  if (!isRecord(warning)) return false
  const { type, setting, feature } = warning
  return (type === 'unsupported-setting' || type === 'unsupported') && (setting ?? feature) === 'stopSequences'
}

/** True when a call was refused for the stop sequences in it. */
export function refusesStop({ field, words }: Fault): boolean {
  return field === undefined
    ? /\bstop(_sequences|Sequences)?\b/.test(words)
    : /^stop(_sequences|Sequences)?\b/.test(field)
}
