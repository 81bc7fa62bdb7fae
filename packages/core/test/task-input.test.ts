import { describe, expect, it } from 'vitest'
import { add, code, python, scriptedAgent } from './support.ts'

describe('a system prompt', () => {
  it('is put together by the agent’s own function, of its parts', async () => {
    const { agent, model } = scriptedAgent(['ok'], {
      tools: [add],
      instructions: 'Be brief.',
      prompt: ({ role, acting, tools, finishing, instructions }) => {
        expect(role).toContain('You solve tasks')
        expect(acting).toContain('<execute>')
        expect(tools).toContain('def add(a: int, b: int)')
        expect(finishing).toBe('When the task is done, reply with the answer and without any code.')
        return ['You are a clerk.', acting, instructions].join('\n')
      },
    })
    await agent.run('x')
    const prompt = String(model.requests[0]?.messages[0]?.content)
    expect(prompt).toMatch(/^You are a clerk\.\nYou act by writing code\.[\s\S]*\nBe brief\.$/)
    expect(prompt).not.toContain('def add')
  })

  it('has all parts otherwise, in their order; those that do not apply leave no gap', async () => {
    const { agent, model } = scriptedAgent(['ok'], { answer: { type: 'integer' }, instructions: 'Be brief.' })
    await agent.run('x').catch(() => {})
    const prompt = String(model.requests[0]?.messages[0]?.content)
    const places = ['You solve tasks', '<execute>', 'def final_answer(', 'call `final_answer`', 'Be brief.'].map(
      (part) => prompt.indexOf(part),
    )
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places[0]).toBe(0)
    const plain = scriptedAgent(['ok'])
    await plain.agent.run('x')
    expect(plain.model.requests[0]?.messages[0]?.content).not.toMatch(/\n{3}|\n$/)
  })
})

describe('a task with images', () => {
  const images = [
    { mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) },
    { mediaType: 'image/jpeg', data: 'AQID' },
  ]

  it('shows them to a model that sees', async () => {
    const { agent, model } = scriptedAgent(['A cat.'])
    await agent.run({ text: 'What is this?', images })
    expect(model.requests[0]?.messages[1]).toEqual({
      role: 'user',
      kind: 'task',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', mediaType: 'image/png', data: 'AQID' },
        { type: 'image', mediaType: 'image/jpeg', data: 'AQID' },
      ],
    })
  })

  it('says to one that does not see that there were some', async () => {
    const { agent, model } = scriptedAgent(['?'], { vision: false })
    await agent.run({ text: 'What is this?', images })
    expect(model.lastShown).toBe('What is this?\n\nNote: 2 images belong to this task, which you cannot see.')
  })
})

describe.skipIf(!python.isMet)(`a task with files ${python.reason}`, () => {
  it('has them in the working directory, and names them; the next task of the session brings more', async () => {
    const { agent, model } = scriptedAgent([
      code('print(open("a.csv").read(), open("data/b.bin", "rb").read())'),
      'Read.',
      code('print(open("a.csv").read(), open("c.txt").read())'),
      'Read.',
    ])
    await using session = await agent.session()
    await session.run({ text: 'Read them.', files: { 'a.csv': '1,2', 'data/b.bin': new Uint8Array([0, 255]) } })
    const told = model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)))
    expect(told[0]).toContain(String.raw`Read them.\n\nFiles in the working directory: a.csv, data/b.bin`)
    expect(model.lastShown).toBe(String.raw`1,2 b'\x00\xff'`)
    await session.run({ text: 'And this.', files: { 'c.txt': 'new' } })
    expect(model.lastShown).toBe('1,2 new')
  })

  it('fails where one has a name that leads out, and the session can go on', async () => {
    const { agent } = scriptedAgent(['ok'])
    await using session = await agent.session()
    await expect(session.run({ text: 'x', files: { '../x': '' } })).rejects.toMatchObject({ code: 'FILES_OUTSIDE' })
    expect((await session.run('x')).answer).toBe('ok')
  })
})

describe.skipIf(!python.isMet)(`what is handed to tools ${python.reason}`, () => {
  it('may be a run’s own, in place of the agent’s', async () => {
    const seen: unknown[] = []
    const spy = { ...add, execute: (_input: unknown, { context }: { context: unknown }) => seen.push(context) }
    const { agent } = scriptedAgent([code('add(1, 2)'), 'ok', code('add(1, 2)'), 'ok'], {
      tools: [spy],
      context: 'all',
    })
    await using session = await agent.session()
    await session.run('x', { context: { user: 'ada' } })
    await session.run('x')
    expect(seen).toEqual([{ user: 'ada' }, 'all'])
  })
})
