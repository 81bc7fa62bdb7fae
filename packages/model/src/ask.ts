import { Call } from './call.ts'
import { faultOf, modelError } from './model-error.ts'
import { Tries } from './tries.ts'
import type { Vendor } from './vendor.ts'

/**
 * Asks a vendor for something else than a reply, such as a list of models: with the same tries, the same errors, and the same
 * way of being aborted as a call to a model.
 *
 * @param work one try; its signal aborts with `signal`
 * @throws CodeActError as the streams of `defineModel()` do
 */
export async function ask<T>(
  vendor: Vendor,
  work: (signal: AbortSignal) => Promise<T>,
  { signal, maxRetries }: { readonly signal?: AbortSignal; readonly maxRetries?: number } = {},
): Promise<T> {
  const call = new Call({ signal })
  const tries = new Tries(maxRetries, call)
  try {
    for (;;) {
      call.throwIfAborted()
      try {
        return await call.wait(work(call.signal))
      } catch (thrown) {
        call.throwIfAborted()
        const fault = faultOf(thrown, vendor, false)
        if (fault === undefined) throw thrown
        await tries.pauseBefore(modelError(thrown, fault, vendor), fault)
      }
    }
  } finally {
    call.end()
  }
}
