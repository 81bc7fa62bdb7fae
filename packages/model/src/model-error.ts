import { CodeActError } from '@codeact/spec'
import { type Fault, ModelFault } from './fault.ts'
import { MEANINGS, meaningOf } from './meanings.ts'
import { redact } from './redact.ts'
import { isBadAddress, rootOf, systemError } from './system-error.ts'
import type { Vendor } from './vendor.ts'

/** Anything that a call threw, as a fault; an error that is finished has none. */
export function faultOf(thrown: unknown, vendor: Vendor, hasBegun: boolean): Fault | undefined {
  if (CodeActError.is(thrown)) return undefined
  if (thrown instanceof ModelFault) return thrown.fault
  const fault = vendor.fault?.(thrown, hasBegun) ?? guess(thrown, hasBegun)
  return !hasBegun && fault.status === undefined && isBadAddress(thrown) ? { ...fault, means: 'bad-address' } : fault
}

/** A fault as a `CodeActError` without secrets: of what was thrown it keeps at most the system's own error. */
export function modelError(thrown: unknown, fault: Fault, vendor: Vendor): CodeActError {
  const hide = (text: string) => redact(text, vendor.secrets?.() ?? [])
  const about = { ...vendor, server: fault.server ?? vendor.server, words: wordsOf(fault, thrown) }
  const { code, says, hint, isRetryable = false } = MEANINGS[meaningOf(fault)](about)
  return new CodeActError(code, hide(sentence(says)), {
    hint: hide(hint),
    cause: systemError(thrown),
    isRetryable: isRetryable && fault.isRetryable !== false,
  })
}

/** For a vendor that has no errors of its own. */
function guess(thrown: unknown, hasBegun: boolean): Fault {
  if (hasBegun && thrown instanceof SyntaxError) return { means: 'stream-cut', words: 'an event is not JSON' }
  const words = thrown instanceof Error ? rootOf(thrown).message : String(thrown)
  if (hasBegun) return { means: 'stream-cut', words }
  return { means: systemError(thrown) ? 'no-connection' : 'not-made', words }
}

/** The status is told, unless the words begin with it. */
function wordsOf({ status, words, means }: Fault, thrown: unknown): string {
  if ((means === 'no-connection' || means === 'bad-address') && thrown instanceof Error) return rootOf(thrown).message
  return status === undefined || words.startsWith(String(status)) ? words : `${status} ${words}`
}

function sentence(text: string): string {
  return text.replace(/^the /, 'The ')
}
