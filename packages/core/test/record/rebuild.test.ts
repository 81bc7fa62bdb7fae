import type { CodeActEvent } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { tool } from '../../src/index.ts'
import { add, code, eventsOf, python, scriptedAgent } from '../support.ts'
import { stopped } from './support.ts'

describe.skipIf(!python.isMet)(`a rebuilt session ${python.reason}`, () => {
  it('has its variables, with what tools gave before: nothing is done twice', async () => {
    const done: unknown[] = []
    const odd = tool({
      name: 'odd',
      description: 'Gives odd things.',
      parameters: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
      execute: ({ what }) => {
        done.push(what)
        if (what === 'error') throw new RangeError('no')
        return { bytes: new Uint8Array([0, 255]), nan: Number.NaN, big: 2n ** 70n, half: 0.5, $: [1] }
      },
    })
    const cells = [
      'import asyncio\nvalue = odd("value")\nsums = []\ntry:\n    odd("error")\nexcept Exception as error:\n    caught = repr(error)',
      'async def both():\n    return await asyncio.gather(*[add.aio(n, n) for n in range(5)])\nsums = await both()',
      'kept = 1\n1 / 0',
      'import os\nos._exit(1)',
    ]
    const { log } = await stopped(cells.slice(0, 3).map(code), { tools: [odd, add] })
    expect(done).toEqual(['value', 'error'])
    const { agent, model } = scriptedAgent([code('print(value, caught, sums, kept)'), 'ok'], { tools: [odd, add] })
    const run = agent.resume(log, { state: 'rebuild' })
    expect((await run).answer).toBe('ok')
    expect(model.lastShown).toContain(
      "{'bytes': b'\\x00\\xff', 'nan': nan, 'big': 1180591620717411303424, 'half': 0.5, '$': [1]}",
    )
    expect(model.lastShown).toContain('[0, 2, 4, 6, 8] 1')
    expect(model.lastShown).toContain('no')
    expect(done).toEqual(['value', 'error'])
    expect((await eventsOf(run)).filter(({ type }) => type === 'progress')).toHaveLength(3)
  })

  it.each([
    [
      'calls another tool',
      'import os\nn = 0 if os.path.exists("seen") else 1\nadd(n, 1)',
      'calls add({"a":1,"b":1}), which it did not do then',
    ],
    [
      'calls none',
      'import os\nif not os.path.exists("seen"):\n    pass\nelse:\n    add(0, 1)',
      'does not call add({"a":0,"b":1}), which it did then',
    ],
    ['fails', 'import os\nassert os.path.exists("seen")', 'ends otherwise (AssertionError) than it did then (ok)'],
  ])('is not rebuilt where code now %s, and says so', async (_how, text, why) => {
    const calls: unknown[] = []
    const spy = { ...add, execute: (input: unknown) => calls.push(input) }
    const log: CodeActEvent[] = []
    const first = scriptedAgent([code(text)], { limits: { steps: 1 }, tools: [spy] })
    await first.agent.run({ text: 'x', files: { seen: '' } }, { log: (event) => log.push(event) })
    const made = calls.length
    // Without the file, which is forgotten here, the code goes another way.
    const forgetful = log.map((event) => (event.type === 'run-start' ? { ...event, files: [] } : event))
    const { agent, model } = scriptedAgent(['never', 'Without.'], { tools: [spy] })
    await using session = await agent.session({ from: forgetful, state: 'rebuild' })
    await expect(session.resume()).rejects.toMatchObject({
      code: 'REBUILD_DIVERGED',
      message: expect.stringContaining(why),
      hint: expect.stringContaining("state: 'fresh'"),
    })
    // It stays so: nobody goes on in half a session.
    await expect(session.resume()).rejects.toMatchObject({ code: 'REBUILD_DIVERGED' })
    expect(model.requests).toEqual([])
    expect(calls).toHaveLength(made)
    expect((await agent.resume(forgetful)).answer).toBe('never')
  })

  it('has its files again, if they are given', async () => {
    const log: CodeActEvent[] = []
    const first = scriptedAgent([code('text = open("data/a.txt").read()')], { limits: { steps: 1 } })
    const files = { 'data/a.txt': 'seven' }
    await first.agent.run({ text: 'Read.', files }, { log: (event) => log.push(event) })
    expect(JSON.stringify(first.model.requests[0]?.messages.at(-1))).toContain(
      'Files in the working directory: data/a.txt',
    )
    const { agent, model } = scriptedAgent([code('text, open("data/a.txt").read()'), 'ok'])
    await expect(agent.resume(log, { state: 'rebuild' })).rejects.toMatchObject({ code: 'RESTART_FILES_MISSING' })
    await agent.resume(log, { state: 'rebuild', files })
    expect(model.lastShown).toBe("('seven', 'seven')")
  })
})
