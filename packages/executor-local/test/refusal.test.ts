import { describe, expect, it } from 'vitest'
import { bubblewrapRefused } from '../src/refusal.ts'

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
