import type { CodeActEvent, Message } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import type { Past } from '../../src/index.ts'
import { code, python, scriptedAgent } from '../support.ts'
import { expectGrowing } from './support.ts'

describe.skipIf(!python.isMet)(`a session that is saved ${python.reason}`, () => {
  it('goes on elsewhere, with the same prefix; and what is saved is what the log comes to', async () => {
    const log: CodeActEvent[] = []
    const first = scriptedAgent([code('x = 41'), 'Set.', code('x + 1'), 'Seen.'])
    await using session = await first.agent.session({ log: (event) => log.push(event) })
    await session.run('Set x.')
    const run = session.run('And one more?')
    expect(() => session.save()).toThrow(expect.objectContaining({ code: 'SESSION_BUSY' }))
    await run
    const saved = JSON.parse(JSON.stringify(session.save()))
    expect(saved.messages).toEqual(session.messages)
    for (const from of [saved, log]) {
      const { agent, model } = scriptedAgent([code('x + 2'), 'ok'])
      await using loaded = await agent.session({ from, state: 'rebuild' })
      expect(loaded.save()).toEqual(saved)
      expect((await loaded.run('Two more?')).answer).toBe('ok')
      expectGrowing(saved.messages, model.requests)
      expect(model.lastShown).toBe('43')
      expect(loaded.save().cells.map((cell) => cell.code)).toEqual(['x = 41', 'x + 1', 'x + 2'])
    }
  })

  it('may be saved before its first run, whether it is new or goes on from another one', async () => {
    const { agent, model } = scriptedAgent([code('x = 41'), 'Set.'])
    await using session = await agent.session()
    const begun = ['hang()']
    const from = { ...JSON.parse(JSON.stringify(session.save())), begun }
    await using loaded = await agent.session({ from })
    expect(loaded.save()).toEqual({ ...from, begun })
    await loaded.run('Set x.')
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('hang()')
    expect(loaded.save().begun).toEqual([])
  })

  it('over a hundred steps keeps each request the prefix of the next, saved and loaded every ten', async () => {
    const requests: { readonly messages: readonly Message[] }[] = []
    let from: Past | undefined
    for (let round = 0; round < 10; round++) {
      const replies = Array.from({ length: 10 }, (_, n) => (n < 9 ? code(`print(${round * 10 + n})`) : 'Next.'))
      const { agent, model } = scriptedAgent(replies)
      await using session = await agent.session({ from })
      await session.run(`Round ${round}.`)
      requests.push(...model.requests)
      from = JSON.parse(JSON.stringify(session.save())) as Past
    }
    expect(requests).toHaveLength(100)
    expectGrowing([], requests)
  })

  it('resumes a run of its own after a limit, with its variables', async () => {
    const { agent, model } = scriptedAgent([code('x = 1'), code('x'), 'One.'], { limits: { steps: 1 } })
    await using session = await agent.session()
    expect((await session.run('x')).stop).toBe('max-steps')
    expect((await session.resume()).stop).toBe('max-steps')
    expect((await session.resume()).answer).toBe('One.')
    expect(model.lastShown).toBe('1')
    expectGrowing([], model.requests)
    expect(() => session.resume()).toThrow(expect.objectContaining({ code: 'NOTHING_TO_RESUME' }))
  })
})
