import { describe, expect, it } from 'vitest'
import { CodeActError } from '../src/index.ts'

describe('CodeActError', () => {
  it('carries code, hint, cause and whether to try again', () => {
    const cause = new Error('socket hang up')
    const error = new CodeActError('MODEL_NETWORK', 'No answer.', { hint: 'Is it running?', cause, isRetryable: true })
    expect(error).toMatchObject({
      name: 'CodeActError',
      code: 'MODEL_NETWORK',
      hint: 'Is it running?',
      isRetryable: true,
    })
    expect(error.cause).toBe(cause)
    expect(new CodeActError('X', 'y')).toMatchObject({ hint: undefined, isRetryable: false })
  })

  it('is recognised across copies of the package, and nothing else is', () => {
    const foreign = Object.defineProperty(new Error('x'), Symbol.for('@codeact/error'), { value: true })
    expect(CodeActError.is(foreign)).toBe(true)
    expect([new Error('x'), null, 'x', { code: 'X' }].map(CodeActError.is)).toEqual([false, false, false, false])
  })

  it('is plain JSON without its stack', () => {
    const error = new CodeActError('NO_KEY', 'There is no key.', { hint: 'Set it.' })
    expect(JSON.parse(JSON.stringify(error))).toEqual({ code: 'NO_KEY', message: 'There is no key.', hint: 'Set it.' })
    expect(CodeActError.json(new TypeError('odd'))).toEqual({ code: 'INTERNAL', message: 'TypeError: odd' })
    expect(CodeActError.json('text')).toEqual({ code: 'INTERNAL', message: 'text' })
  })
})
