import { setTimeout } from 'node:timers/promises'
import { CodeActError, type CodeActEvent, type OpenOptions, type Sandbox } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { dropOldObservations } from '../../src/index.ts'
import { expectGrowing } from '../record/support.ts'
import { code, python, scriptedAgent } from '../support.ts'
import type { Watched } from '../watched.ts'
import { expectAgreement, roles, undoing } from './support.ts'

describe.skipIf(!python.isMet)(`a step that is undone ${python.reason}`, () => {
  it('takes its words and its variables with it, and the session goes on from there', async () => {
    const { agent, model, start } = undoing([code('x = [1]'), code('x.append(2)\ny = 2'), 'Two.', code('x'), 'One.'])
    const { session, log } = await start()
    await session.run('Count.')
    expect(await session.undo()).toEqual({ step: 3, restored: [], lost: [] })
    expect(await session.undo()).toEqual({ step: 2, restored: ['x'], lost: [] })
    expect(roles(session)).toBe('suau')
    await expectAgreement(agent, session, log)
    const before = session.messages
    expect((await session.run('What is x?')).answer).toBe('One.')
    expect(model.lastShown).toBe('[1]')
    expectGrowing(before, model.requests.slice(3))
    await expectAgreement(agent, session, log)
    await session.close()
  })

  it('is done anew by resume(), as if the run had been left there', async () => {
    const { model, start } = undoing([code('x = 1'), code('x = 2'), 'Two.', code('x = x + 2'), code('x'), 'Three.'])
    const { session } = await start()
    await session.run('Count.')
    await session.undo()
    await session.undo()
    expect((await session.resume()).answer).toBe('Three.')
    expect(model.lastShown).toBe('3')
    expect(model.requests[3]?.messages).toEqual(model.requests[1]?.messages)
    await session.close()
  })

  it('takes its task with it where it is the first, and leaves what was said before the run', async () => {
    const { agent, model, start } = undoing([code('x = 1'), 'One.', code('x = 2'), 'Two.', code('x'), 'ok'])
    const { session, log } = await start()
    await session.run('Count.')
    const before = session.messages
    await session.run('On.')
    expect(await session.undo()).not.toHaveProperty('task')
    expect(await session.undo()).toMatchObject({ step: 1, task: 'On.', restored: ['x'] })
    expect(session.messages).toEqual(before)
    await expectAgreement(agent, session, log)
    expect(() => session.resume()).toThrow(expect.objectContaining({ code: 'NOTHING_TO_RESUME' }))
    await session.undo()
    expect(await session.undo()).toMatchObject({ step: 1, task: 'Count.', restored: [] })
    expect(roles(session)).toBe('s')
    await expectAgreement(agent, session, log)
    await expect(session.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    await session.run('Then this.')
    expect(model.requests[4]?.messages).toHaveLength(2)
    expect(model.lastShown).toContain("NameError: name 'x' is not defined")
    await expectAgreement(agent, session, log)
    await session.close()
  })

  it('of a resumed run takes back what that run was told at first, and no task', async () => {
    const { agent, start } = undoing(['No code', code('x = 1'), code('x = 2')], { limits: { steps: 1 }, stopRules: [] })
    const { session, log } = await start()
    await session.run('Count.')
    await session.resume()
    const before = session.messages
    expect((await session.resume()).stop).toBe('max-steps')
    expect(await session.undo()).toEqual({ step: 1, restored: ['x'], lost: [] })
    expect(session.messages).toEqual(before)
    expect(session.save()).toMatchObject({ task: 'Count.', stop: 'max-steps' })
    await expectAgreement(agent, session, log)
    await session.close()
  })

  it('leaves files, and what the user has said meanwhile', async () => {
    const { model, executor, start } = undoing([code('x = 1'), code('open("a", "w").write("a")'), 'ok', 'heard'], {
      approve: () => {
        if (model.requests.length === 1) session.send('Be brief.')
        return 'allow'
      },
    })
    const { session } = await start()
    await session.run('Count.')
    await session.undo()
    await session.undo()
    expect(roles(session)).toBe('suauu')
    const [box] = executor.boxes
    expect(await box?.files.readText('a')).toBe('a')
    await session.resume()
    expect(model.lastShown).toBe('Be brief.')
    await session.close()
  })

  it('has the transcript of before a compaction again', async () => {
    const memory = dropOldObservations({ over: 300, keep: 1 })
    const replies = [1, 2, 3, 4].map((n) => code(`n = ${n}\nprint("row ${n} " * 80)`))
    const { agent, model, start } = undoing([...replies, 'ok'], { memory })
    const { session, log } = await start()
    await session.run('Count.')
    const at = log.findIndex(({ type }) => type === 'compaction')
    const steps = log.slice(0, at).filter(({ type }) => type === 'step-start').length
    expect(JSON.stringify(session.messages)).toContain('left out by now')
    for (let left = 5; left >= steps; left--) await session.undo()
    expect(JSON.stringify(session.messages)).not.toContain('left out by now')
    expect(session.messages).toEqual(model.requests[steps - 1]?.messages)
    await expectAgreement(agent, session, log)
    await session.close()
  })

  it('may have been stopped, or have failed; one in which nothing was said is none', async () => {
    const { agent, model, start } = undoing([code('x = 1'), code('x = 2\nwhile True: pass'), { text: '', hang: true }])
    const { session, log } = await start()
    const first = session.run('Count.')
    for await (const { type } of first) if (type === 'execution-start' && model.requests.length === 2) first.abort()
    expect((await first).stop).toBe('aborted')
    const said = session.messages
    const second = session.resume()
    for await (const { type } of second) if (type === 'model-start') second.abort()
    expect(session.messages).toEqual(said)
    expect(await session.undo()).toMatchObject({ step: 2, restored: ['x'] })
    expect(roles(session)).toBe('suau')
    await expectAgreement(agent, session, log)
    await expect(session.resume()).rejects.toThrow('the script is over')
    expect(await session.undo()).toMatchObject({ step: 1, task: 'Count.' })
    await session.close()
  })

  it('may have given the answer: then the task has none', async () => {
    const answer = { type: 'integer' } as const
    const replies = [code('x = 1'), code('x = 2\nfinal_answer(x)'), code('final_answer(x)')]
    const { start } = undoing(replies, { answer })
    const { session } = await start()
    expect((await session.run('Count.')).value).toBe(2)
    await session.undo()
    expect((await session.resume()).value).toBe(1)
    await session.close()
  })
})

describe.skipIf(!python.isMet)(`undo ${python.reason}`, () => {
  it('has as many steps with code as it was asked for, and those without', async () => {
    const { start } = undoing([code('x = 1'), 'One.', code('x = 2'), 'Two.', 'Three.'])
    const { session } = await start({ undo: true })
    for (const task of ['1', '2', '3']) await session.run(task)
    expect([await session.undo(), await session.undo(), await session.undo(), await session.undo()]).toMatchObject([
      { step: 1, task: '3', restored: [] },
      { step: 2 },
      { step: 1, task: '2', restored: ['x'] },
      { step: 2 },
    ])
    await expect(session.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO', hint: expect.stringMatching('undo') })
    await session.close()
  })

  it('takes one checkpoint for each step with code, when the one before is over, and none that it has', async () => {
    const two = `${code('x += 1')}${code('x += 1')}`
    const { executor, start } = undoing([code('x = 0'), 'ok', two, 'ok', 'ok', two, two, 'ok'])
    const { session } = await start()
    const takenIn = async (task: string): Promise<number> => {
      const before = executor.checkpoints.length
      await session.run(task)
      await settled(executor)
      return executor.checkpoints.length - before
    }
    expect(await takenIn('before the code, and behind it')).toBe(2)
    expect(await takenIn('behind the code')).toBe(1)
    expect(await takenIn('without code')).toBe(0)
    await session.undo()
    await session.undo()
    await session.undo()
    // Its variables are those of the checkpoint that it went back to.
    expect(await takenIn('twice code')).toBe(2)
    for (const x of [4, 2, 0]) {
      await session.undo()
      const [box] = executor.boxes
      expect((await box?.execute('x'))?.value?.['text/plain']).toBe(`${x}`)
    }
    await session.close()
    expect(executor.boxes.size).toBe(0)
  })

  it('lets go of the checkpoints that no step needs', async () => {
    const { executor, start } = undoing([1, 2, 3, 4].map((n) => code(`x = ${n}`)).concat('ok'))
    const { session } = await start({ undo: 1 })
    await session.run('x')
    await settled(executor)
    const [box] = executor.boxes
    const [before, ...kept] = executor.checkpoints.slice(0, 5).reverse()
    for (const id of kept.slice(1)) await expect(box?.restore?.(id)).rejects.toMatchObject({ code: 'CHECKPOINT_GONE' })
    for (const id of [before, kept[0]]) expect((await box?.restore?.(id ?? ''))?.lost).toEqual([])
    await session.close()
  })

  it('lets code wait for the checkpoint before it', async () => {
    const said: string[] = []
    const { session } = await boxed([code('x = 1'), 'ok'], {
      checkpoint: async () => {
        await setTimeout(50)
        said.push('taken')
        return 'one'
      },
    })
    for await (const { type } of session.run('x')) if (type.startsWith('execution')) said.push(type)
    expect(said.slice(0, 3)).toEqual(['taken', 'execution-start', 'execution-end'])
    await session.close()
  })

  it('is not there unless it was asked for, and not while something goes on', async () => {
    const { agent } = scriptedAgent(['ok', code('1'), 'ok'])
    await using session = await agent.session()
    await session.run('x')
    await expect(session.undo()).rejects.toMatchObject({
      code: 'UNDO_OFF',
      hint: expect.stringContaining('undo: true'),
    })
    for (const undo of [0, 8, 1.5, Number.NaN]) {
      await expect(agent.session({ undo })).rejects.toMatchObject({ code: 'OPTION_INVALID' })
    }
    const { start } = undoing([code('x = 1'), code('x = 2'), 'ok'])
    const other = (await start()).session
    await expect(other.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    const run = other.run('x')
    await expect(other.undo()).rejects.toMatchObject({ code: 'SESSION_BUSY' })
    await run
    await other.undo()
    const undone = other.undo()
    await expect(other.undo()).rejects.toMatchObject({ code: 'SESSION_BUSY' })
    expect(() => other.run('x')).toThrow(expect.objectContaining({ code: 'SESSION_BUSY' }))
    expect(() => other.save()).toThrow(expect.objectContaining({ code: 'SESSION_BUSY' }))
    await other.close()
    expect(await undone).toMatchObject({ step: 2 })
    await expect(other.undo()).rejects.toMatchObject({ code: 'SESSION_CLOSED' })
  })

  it.each([
    ['has none', undefined, 'CHECKPOINT_UNSUPPORTED'],
    ['refuses', async () => Promise.reject(new CodeActError('CHECKPOINT_FAILED', 'It is full.')), 'CHECKPOINT_FAILED'],
  ])('fails a run before its first code where the sandbox %s', async (_what, checkpoint, reason) => {
    const { session } = await boxed([code('print("ran")'), code('print("ran")')], { checkpoint })
    for (const task of ['x', 'once more']) {
      const run = session.run(task)
      await expect(run).rejects.toMatchObject({ code: reason })
      expect(await typesOf(run)).not.toContain('execution-start')
    }
    await session.close()
  })

  it('says where there was no checkpoint, or is none any more, and then changes nothing', async () => {
    const { executor, start } = undoing([code('x = 1'), code('x = 2'), 'ok', code('x'), 'ok'])
    const { session } = await start()
    const run = session.run('x')
    for await (const { type } of run) {
      const [box] = executor.boxes
      if (type !== 'execution-start' || box === undefined) continue
      box.checkpoint = () => Promise.reject(new CodeActError('CHECKPOINT_FAILED', 'It is full.'))
      box.restore = () => Promise.reject(new CodeActError('CHECKPOINT_GONE', 'There is none.'))
    }
    await session.undo()
    const said = session.messages
    await expect(session.undo()).rejects.toMatchObject({
      code: 'UNDO_IMPOSSIBLE',
      message: expect.stringMatching('full'),
    })
    expect(session.messages).toEqual(said)
    await session.close()

    const gone = await boxed([code('x = 1'), 'ok'], {
      restore: () => Promise.reject(new CodeActError('CHECKPOINT_GONE', '')),
    })
    await gone.session.run('x')
    await gone.session.undo()
    const then = gone.session.save()
    await expect(gone.session.undo()).rejects.toMatchObject({ code: 'CHECKPOINT_GONE' })
    expect(gone.session.save()).toEqual(then)
    await gone.session.close()
  })
})

/** The last checkpoint is taken behind the run's back. */
async function settled({ boxes }: Watched): Promise<void> {
  for (const box of boxes) await box.inspect?.()
}

/** A session whose sandbox is changed in some part. */
async function boxed(replies: readonly string[], changes: Partial<Sandbox>) {
  const { executor } = undoing([])
  const open = async (options?: OpenOptions) => Object.assign(await executor.open(options), changes)
  return undoing(replies, { executor: { ...executor, open } }).start()
}

async function typesOf(run: AsyncIterable<CodeActEvent>): Promise<string[]> {
  const types: string[] = []
  try {
    for await (const { type } of run) types.push(type)
  } catch {}
  return types
}
