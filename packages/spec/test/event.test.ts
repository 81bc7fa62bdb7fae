import { describe, expect, it } from 'vitest'
import { actionsOf, eventStamp, newId } from '../src/index.ts'

describe('eventStamp', () => {
  it('numbers the events of one stream without gaps', () => {
    const stamp = eventStamp('run_1')
    const events = ['a', 'b'].map((message) => stamp({ type: 'progress', id: 'run_1', message }))
    expect(events).toMatchObject([
      { v: 1, seq: 0, run: 'run_1', message: 'a' },
      { v: 1, seq: 1, run: 'run_1', message: 'b' },
    ])
    expect(eventStamp('run_2')({ type: 'progress', id: 'x', message: 'c' }).seq).toBe(0)
  })
})

describe('newId', () => {
  it('is short, named and different each time', () => {
    const ids = new Set(Array.from({ length: 1000 }, () => newId('cell')))
    expect(ids.size).toBe(1000)
    for (const id of ids) expect(id).toMatch(/^cell_[0-9a-f]{12}$/)
  })
})

describe('actionsOf', () => {
  it('takes the actions out of a reply in order', () => {
    const code = { type: 'code', language: 'python', code: '1', closed: true } as const
    const answer = { type: 'answer', text: 'one' } as const
    const actions = actionsOf([
      { type: 'text', text: 'so: ' },
      { type: 'code-start', id: 'c', language: 'python' },
      { type: 'code-delta', id: 'c', text: '1' },
      { type: 'code-end', id: 'c', action: code },
      { type: 'action', action: answer },
    ])
    expect(actions).toEqual([code, answer])
  })
})
