import { describe, expect, it } from 'vitest'
import { checkOptions, checkpointBytes, parseBytes } from '../src/options.ts'

const check = (options: object, unsupported = {}) =>
  checkOptions({ name: 'box', languages: ['python'], options, unsupported })

describe('the options that all executors share', () => {
  it('have defaults', () => {
    expect(check({})).toEqual({ timeoutMs: 30_000, output: 1_048_576, setup: {} })
  })

  it('take sizes with a unit', () => {
    const sizes = [512, '512', '1k', '1.5 MB', '2g', '2GiB'].map((size) => parseBytes('box', 'limits.memory', size))
    expect(sizes).toEqual([512, 512, 1024, 1_572_864, 2 ** 31, 2 ** 31])
  })

  it.each(['', 'much', '-1', 0, '5t'])('refuse the size %j', (size) => {
    expect(() => parseBytes('box', 'limits.memory', size)).toThrow(/limits.memory must be a number of bytes/)
  })

  it('refuse what the executor cannot honour, with its reason', () => {
    const unsupported = { 'limits.memory': 'it cannot', 'network.allow': 'all or nothing', checkpoint: 'not yet' }
    expect(() => check({ limits: { memory: '1g' } }, unsupported)).toThrow(
      'box() cannot honour the option limits.memory: it cannot.',
    )
    expect(() => check({ network: { allow: ['a.org'] } }, unsupported)).toThrow(/all or nothing/)
    expect(() => check({ checkpoint: true }, unsupported)).toThrow(/not yet/)
    expect(check({ checkpoint: false, network: 'none' }, unsupported).timeoutMs).toBe(30_000)
  })

  it('say up to which size a session is to survive', () => {
    const bytes = [{}, { checkpoint: true }, { checkpoint: false }, { checkpoint: { upTo: '64m' } }].map((options) =>
      checkpointBytes('box', options),
    )
    expect(bytes).toEqual([2 ** 30, 2 ** 30, undefined, 2 ** 26])
    expect(() => check({ checkpoint: { upTo: 'much' } })).toThrow(/checkpoint.upTo must be a number of bytes/)
    expect(() => check({ checkpoint: { upTo: '1g' } }, { checkpoint: 'not yet' })).toThrow(/not yet/)
  })

  it('refuse languages that it does not run', () => {
    expect(() => check({ languages: ['python', 'cobol'] })).toThrow(/cobol/)
    expect(() => check({ languages: [] })).toThrow(/languages must be a list of at least one language/)
    expect(() => check({ setup: { r: 'x' } })).toThrow(/it runs python/)
    const asked = { languages: ['r'], setup: { python: 'x = 1' } }
    expect(() => checkOptions({ name: 'box', languages: ['python', 'r'], options: asked, unsupported: {} })).toThrow(
      /cannot honour the option python: it runs r\./,
    )
  })

  it.each([0, -1, Number.NaN])('refuse the time limit %d', (timeoutMs) => {
    expect(() => check({ timeoutMs })).toThrow(/timeoutMs/)
  })
})
