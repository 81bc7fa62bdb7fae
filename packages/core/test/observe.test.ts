import type { CodeAction, Execution } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../src/index.ts'
import { cutMiddle } from '../src/loop/cut-middle.ts'
import { observe, type Telling } from '../src/loop/observe.ts'

const action: CodeAction = { type: 'code', language: 'python', code: '', closed: true }
const telling: Telling = { tokens: 2500, countTokens: estimateTokens, vision: true }
const ran: Execution = { status: 'ok', stdout: '', stderr: '', displays: [], state: 'kept', durationMs: 1 }

describe('observe', () => {
  it('tells output, errors and value in the order in which a reader looks for them', () => {
    const execution: Execution = { ...ran, stdout: 'out\n', stderr: 'warn\n', value: { 'text/plain': '5' } }
    expect(observe(action, execution, telling)).toEqual({ text: 'out\n[stderr]\nwarn\n5', images: [] })
  })

  it('shows pictures as pictures', () => {
    const picture = { 'image/png': 'iVBO' }
    const seen = observe(
      action,
      { ...ran, displays: [picture], value: { 'text/plain': '<Figure>', ...picture } },
      telling,
    )
    expect(seen.text).toBe('(displayed image/png)\n<Figure>')
    expect(seen.images).toEqual([
      { type: 'image', mediaType: 'image/png', data: 'iVBO' },
      { type: 'image', mediaType: 'image/png', data: 'iVBO' },
    ])
  })

  it('says in a line what became of the variables, and what may become of them', () => {
    const note = (more: Partial<Execution>) =>
      observe(action, { ...ran, stdout: 'out', ...more }, telling).text.split('\n')[1]
    expect(note({ state: 'lost' })).toBe('The variables from before are lost: define again what you still need.')
    const rollback = { restored: ['x', 'df'], lost: ['2 threads', 'changes to files: a.csv'] }
    expect(note({ state: 'rolled-back', rollback })).toBe(
      'Rolled back: the variables are as they were before this code (back are x, df). ' +
        'Not back: 2 threads; changes to files: a.csv.',
    )
    const many = { restored: Array.from({ length: 25 }, (_, n) => `v${n}`), lost: [] }
    expect(note({ state: 'rolled-back', rollback: many })).toMatch(/v19 and 5 more\)\.$/)
    expect(note({ state: 'rolled-back', rollback: { restored: [], lost: [] } })).toMatch(/\(there were none\)\.$/)
    expect(note({ unprotected: 'the session is too large' })).toBe(
      'Note: variables will be lost if the next code has to be killed: the session is too large.',
    )
    expect(note({})).toBeUndefined()
  })

  it('cuts what is too long in the middle, and says how much', () => {
    const { text, cut } = observe(action, { ...ran, stdout: `begin${'x'.repeat(50_000)}end` }, telling)
    expect(text).toMatch(/^beginx+\n\[… 40008 characters left out …\]\nx+end$/)
    expect(cut).toBe(40_008)
  })
})

describe('cutMiddle', () => {
  it('never cuts a character in two', () => {
    for (let limit = 2; limit < 12; limit++) {
      const { text } = cutMiddle('😀'.repeat(10), limit)
      expect(text.isWellFormed()).toBe(true)
    }
    expect(cutMiddle('short', 5)).toEqual({ text: 'short', cut: 0 })
  })
})
