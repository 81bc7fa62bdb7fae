import { describe, expect, it } from 'vitest'
import { bubblewrapRefused, refusedByBubblewrap, refusedBySeatbelt } from '../src/refusal.ts'

describe('a bubblewrap that is refused', () => {
  it.each([
    [
      'by a container',
      { isContainer: true, hasAppArmor: true },
      /this container forbids it/,
      /--security-opt seccomp=unconfined/,
    ],
    ['by AppArmor', { isContainer: false, hasAppArmor: true }, /AppArmor forbids it/, /apparmor_parser -r/],
    [
      'by the system',
      { isContainer: false, hasAppArmor: false },
      /a sandbox here/,
      /sysctl -w user\.max_user_namespaces/,
    ],
  ])('%s says so, and what to type', (_who, around, message, hint) => {
    const error = bubblewrapRefused('No permissions to create new namespace', around)
    expect(error.code).toBe('EXECUTOR_UNAVAILABLE')
    expect(error.message).toMatch(message)
    expect(error.message).toContain('No permissions to create new namespace')
    expect(error.hint).toMatch(hint)
    expect(error.hint).toMatch(/wasm\(\)/)
  })
})

describe('a kernel that ended before it was ready', () => {
  it('was ended by bubblewrap only where that says so', () => {
    expect(refusedByBubblewrap('bwrap: No permissions')?.message).toContain('No permissions')
    expect(refusedByBubblewrap('ImportError: no module')).toBeUndefined()
  })

  it('inside another sandbox of macOS is told to get out of it', () => {
    const error = refusedBySeatbelt('sandbox-exec: sandbox_apply: Operation not permitted', 'exit code 71')
    expect(error.code).toBe('EXECUTOR_UNAVAILABLE')
    expect(error.message).toContain('sandbox_apply: Operation not permitted')
    expect(error.hint).toMatch(/outside of the one that it runs in.*wasm\(\)/)
  })

  it.each([
    ['a profile that is refused', 'sandbox-exec: unbound variable: process-exec*', 'exit code 65', /unbound variable/],
    ['a Python that could not start', '', 'SIGABRT', /SIGABRT/],
  ])('with %s says that Seatbelt is unverified, and where to look', (_what, lastWords, detail, message) => {
    const error = refusedBySeatbelt(lastWords, detail)
    expect(error.code).toBe('KERNEL_START_FAILED')
    expect(error.message).toMatch(message)
    expect(error.hint).toMatch(/never been tried on a Mac.*log show.*wasm\(\)/)
  })
})
