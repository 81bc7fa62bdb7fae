import { isRecord } from './stream-part.ts'

/** Whether a model takes stop sequences. Remembered for the life of the model object. */
export class StopHint {
  #isRefused = false

  get isRefused(): boolean {
    return this.#isRefused
  }

  /** A provider that knows its model leaves them out, and says so when the reply starts. */
  heed(warnings: unknown): void {
    if (Array.isArray(warnings) && warnings.some(isAboutStop)) this.#isRefused = true
  }

  /** True when the call failed for the stop sequences in it: it is worth another try, without them. */
  learn(error: unknown, sent: { readonly stopSequences?: unknown }): boolean {
    if (sent.stopSequences === undefined || !refusesStop(error)) return false
    this.#isRefused = true
    return true
  }
}

/** V2 says `unsupported-setting` and `setting`, V3 and V4 `unsupported` and `feature`. */
function isAboutStop(warning: unknown): boolean {
  if (!isRecord(warning)) return false
  const { type, setting, feature } = warning
  return (type === 'unsupported-setting' || type === 'unsupported') && (setting ?? feature) === 'stopSequences'
}

function refusesStop(error: unknown): boolean {
  if (!isRecord(error) || (error.statusCode !== 400 && error.statusCode !== 422)) return false
  const fault = isRecord(error.data) && isRecord(error.data.error) ? error.data.error : {}
  if (typeof fault.param === 'string') return /^stop(_sequences|Sequences)?\b/.test(fault.param)
  return /\bstop(_sequences|Sequences)?\b/.test(`${error.message} ${error.responseBody}`)
}
