import { afterEach, describe, expect, it } from 'vitest'
import { requirement } from '../src/index.ts'

const { CODEACT_REQUIRE } = process.env

afterEach(() => {
  if (CODEACT_REQUIRE === undefined) delete process.env.CODEACT_REQUIRE
  else process.env.CODEACT_REQUIRE = CODEACT_REQUIRE
})

describe('requirement()', () => {
  const missing = () => Promise.reject(new Error('no such engine'))

  it('is met where its probe succeeds', async () => {
    expect(await requirement('engine', async () => {})).toEqual({ name: 'engine', isMet: true, reason: '' })
  })

  it('names what is missing and why', async () => {
    delete process.env.CODEACT_REQUIRE
    expect(await requirement('engine', missing)).toEqual({
      name: 'engine',
      isMet: false,
      reason: 'needs engine: no such engine',
    })
  })

  it('fails where the machine was said to have it', async () => {
    process.env.CODEACT_REQUIRE = 'python, engine'
    await expect(requirement('engine', missing)).rejects.toThrow(/CODEACT_REQUIRE asks for engine/)
    expect((await requirement('other', missing)).isMet).toBe(false)
  })
})
