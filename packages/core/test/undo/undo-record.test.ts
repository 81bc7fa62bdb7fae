import { readFile } from 'node:fs/promises'
import { toolCall } from '@codeact/parsers'
import { type ScriptedReply, scripted } from '@codeact/provider-replay'
import type { CodeActEvent, LanguageModel, ModelRequest } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { Agent } from '../../src/index.ts'
import { logFiles, stopped } from '../record/support.ts'
import { code, python, scriptedParts } from '../support.ts'
import { expectAgreement, undoing } from './support.ts'

const files = logFiles()

describe.skipIf(!python.isMet)(`the log of a session in which a step was undone ${python.reason}`, () => {
  it('only grows: an event says what there is from then on, and what is gone on from is without the step', async () => {
    const file = files.path('log')
    const { start } = undoing([code('x = 1'), code('x = "wrong"'), 'Wrong.'])
    const { session } = await start({ log: file })
    const run = session.run('Count.')
    const events: CodeActEvent[] = []
    for await (const event of run) events.push(event)
    await session.undo()
    await session.undo()
    await session.close()
    const log = (await readLines(file)).map((line) => JSON.parse(line) as CodeActEvent)
    expect(log.slice(0, -2)).toEqual(JSON.parse(JSON.stringify(events)))
    const steps = events.flatMap((event) => (event.type === 'step-start' ? [event.id] : []))
    const undone = log.slice(-2)
    expect(undone).toMatchObject([
      { type: 'undo', seq: 0, step: steps[2], restored: [] },
      { type: 'undo', seq: 0, step: steps[1], restored: ['x'], session: { cells: [{ code: 'x = 1' }] } },
    ])
    for (const { id, run } of undone) expect(run).toBe(id)
    const parts = scriptedParts([code('x'), 'One.'])
    expect((await new Agent(parts).resume(file, { state: 'rebuild', log: file })).answer).toBe('One.')
    expect(parts.model.lastShown).toBe('1')
  })

  it.each(['fresh', 'rebuild'] as const)('agrees with one that went on from another one, %s', async (state) => {
    const { log: past } = await stopped([code('x = 41')])
    const { agent, model, start } = undoing([code('x = 0'), 'Nought.', code('print(x)'), 'ok'])
    const { session, log } = await start({ from: past, state, files: { 'a.txt': 'seven' } })
    const before = session.save()
    await session.run({ text: 'Set it.', files: { 'b.txt': 'eight' } })
    const told = model.requests[0]?.messages.slice(before.messages.length, -1)
    expect(told).toHaveLength(1)
    await session.undo()
    expect(await session.undo()).toMatchObject({ step: 1, task: 'Set it.', restored: state === 'fresh' ? [] : ['x'] })
    // Files stay; all else is as it was, and what the model was told at first is told again.
    expect(session.save()).toEqual({ ...before, files: ['a.txt', 'b.txt'] })
    await expectAgreement(agent, session, log)
    await session.run('Show it.')
    expect(model.requests[2]?.messages.slice(before.messages.length, -1)).toEqual(told)
    expect(model.lastShown).toContain(state === 'fresh' ? "NameError: name 'x' is not defined" : '41')
    expect(session.save().files).toEqual(['a.txt', 'b.txt'])
    expect(session.save().cells.map((cell) => cell.code)).toEqual([
      ...(state === 'fresh' ? [] : ['x = 41']),
      'print(x)',
    ])
    await expectAgreement(agent, session, log)
    await session.close()
  })

  it('agrees with the session where a native call was left open', async () => {
    const call = (n: number): ScriptedReply => {
      const json = JSON.stringify({ code: `x = ${n}` })
      const part = { type: 'tool-call', callId: `c${n}`, name: 'execute_code', json } as const
      return { message: { role: 'assistant', content: [part] }, finish: 'tool-calls' }
    }
    const approve = () => {
      if (model.asked === 2) throw new Error('nobody there')
      return 'allow' as const
    }
    const model = counted(scripted([call(1), call(2), call(3), 'ok']))
    const { agent, start } = undoing([], { parser: toolCall(), model, approve })
    const { session, log } = await start()
    await expect(session.run('Count.')).rejects.toThrow('nobody there')
    await session.run('On.')
    const whole = session.messages
    expect(whole.map(({ role }) => role[0]).join('')).toBe('suatatuata')
    await expectAgreement(agent, session, log)
    for (const left of [9, 5]) {
      await session.undo()
      expect(session.messages).toEqual(whole.slice(0, left))
      await expectAgreement(agent, session, log)
    }
    await session.run('On.')
    expect(session.messages).toEqual(whole)
    await expectAgreement(agent, session, log)
    await session.close()
  })

  it('is behind what is undone where it cannot be written, which is said', async () => {
    const { start } = undoing([code('x = 1'), 'ok'])
    let isFull = false
    const { session } = await start({
      log: () => {
        if (isFull) throw new Error('full')
      },
    })
    await session.run('Count.')
    isFull = true
    await expect(session.undo()).rejects.toThrow('full')
    expect(session.messages).toHaveLength(4)
    await session.close()
  })
})

async function readLines(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).trim().split('\n')
}

function counted(model: LanguageModel): LanguageModel & { asked: number } {
  const counting = {
    id: model.id,
    asked: 0,
    stream: (request: ModelRequest) => {
      counting.asked += 1
      return model.stream(request)
    },
  }
  return counting
}
