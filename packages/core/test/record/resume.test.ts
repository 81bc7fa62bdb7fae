import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { toolCall } from '@codeact/parsers'
import { replay, type ScriptedReply, scripted } from '@codeact/provider-replay'
import type { CodeActEvent } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { Agent, dropOldObservations, type Past } from '../../src/index.ts'
import { code, eventsOf, python, scriptedAgent, scriptedParts } from '../support.ts'
import { asText, expectGrowing, logFiles, stopped } from './support.ts'

const files = logFiles()

describe.skipIf(!python.isMet)(`a run that is resumed ${python.reason}`, () => {
  it('goes on from the transcript as it was, and tells the model that variables are gone', async () => {
    const { log, said } = await stopped([code('x = 1'), `${code('print(x)')}${code('y')}`])
    const { agent, model } = scriptedAgent([code('x'), 'Gone.'])
    const run = agent.resume(log)
    expect(await run).toMatchObject({ answer: 'Gone.', steps: { length: 2 } })
    expectGrowing(said, model.requests)
    const note = model.requests[0]?.messages.slice(said.length)
    expect(note).toMatchObject([
      { kind: 'observation', content: [{ text: expect.stringContaining('are gone. Define again') }] },
    ])
    expect(JSON.stringify(note)).not.toContain('\\n')
    expect(model.lastShown).toContain("NameError: name 'x' is not defined")
    expect((await eventsOf(run))[0]).toMatchObject({ type: 'run-start', task: 'Count.' })
  })

  it('is told of a block that was cut off, and asked to go on behind words of its own', async () => {
    const log: CodeActEvent[] = []
    const cut = { text: '<execute>\nprint("half', finish: 'length' } as const
    const first = scriptedAgent([cut], { limits: { steps: 1 } })
    await first.agent.run('x', { log: (event) => log.push(event) })
    const { agent, model } = scriptedAgent([code('print("whole")'), 'ok'])
    await agent.resume(log)
    expect(JSON.stringify(model.requests[0]?.messages.at(-1))).toContain('write all of it anew')
    expect(model.lastShown).toBe('whole')

    const failing = scriptedAgent([code('1')], {
      approve: () => {
        throw new Error('nobody there')
      },
    })
    const failed: CodeActEvent[] = []
    await failing.agent.run('x', { log: (event) => failed.push(event) }).catch(() => {})
    const again = scriptedAgent(['ok'])
    await again.agent.resume(failed)
    expect(again.model.lastShown).toBe('Go on with the task.')
  })

  it('can be resumed again, from its own log or from the one that it goes on with', async () => {
    const file = files.path('log')
    const first = scriptedAgent([code('x = 1')], { limits: { steps: 1 } })
    await first.agent.run('Count.', { log: file })
    const second = scriptedAgent([code('x += 1')], { limits: { steps: 1 } })
    const own: CodeActEvent[] = []
    await second.agent.resume(file, { state: 'rebuild', log: (event) => own.push(event) })
    await scriptedAgent([code('x += 1')], { limits: { steps: 1 } }).agent.resume(file, { state: 'rebuild', log: file })
    for (const log of [own, file]) {
      const { agent, model } = scriptedAgent([code('x'), 'ok'])
      await agent.resume(log, { state: 'rebuild' })
      expect(model.lastShown).toBe('2')
      expectGrowing(second.model.requests[0]?.messages ?? [], model.requests)
    }
  })

  it('has something to go on with, and a log that says how it began', async () => {
    const log: CodeActEvent[] = []
    const { agent } = scriptedAgent(['ok', 'ok'])
    await agent.run('x', { log: (event) => log.push(event) })
    await expect(agent.resume(log)).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' })
    expect(() => agent.resume(log.slice(1))).toThrow(expect.objectContaining({ code: 'LOG_INVALID' }))
    expect(() => agent.resume(files.path('none'))).toThrow(expect.objectContaining({ code: 'LOG_INVALID' }))
    expect(() => agent.resume({} as Past)).toThrow(expect.objectContaining({ code: 'SAVED_INVALID' }))
    const file = await files.write('broken', '{"type":"run-\n{}\n')
    expect(() => agent.resume(file)).toThrow(expect.objectContaining({ message: expect.stringContaining(`${file}:1`) }))
  })

  it('has reasoning, native calls and images as they were; and a recording of it can be played', async () => {
    const call = (n: number, text: string): ScriptedReply => ({
      message: {
        role: 'assistant',
        content: [
          { type: 'reasoning', provider: 'p', model: 'm', opaque: { signature: `s${n}` } },
          { type: 'tool-call', callId: `c${n}`, name: 'execute_code', json: JSON.stringify({ code: text }) },
        ],
      },
      finish: 'tool-calls',
    })
    const picture = [
      'class P:',
      String.raw`    def _repr_png_(self): return b"\x89PNG\r\n\x1a\n" + bytes(9)`,
      '    def __repr__(self): return "P"',
      'display(P())',
    ].join('\n')
    const parts = { ...scriptedParts([]), parser: toolCall() }
    const model = scripted([call(1, picture), call(2, '6 * 7'), 'It is 42.'])
    const log: CodeActEvent[] = []
    const first = new Agent({ ...parts, model, limits: { steps: 1 } })
    await using session = await first.session({ log: (event) => log.push(JSON.parse(JSON.stringify(event))) })
    await session.run({ text: 'Look.', images: [{ mediaType: 'image/png', data: new Uint8Array([1, 2]) }] })
    await session.resume()
    const past = [...session.messages]
    expect(asText(past).join()).toContain('"signature":"s1"')
    expect(asText(past).filter((text) => text.includes('"type":"image"'))).toHaveLength(2)
    await using loaded = await new Agent({ ...parts, model }).session({ from: log })
    expect(loaded.messages).toEqual(past)
    expect((await loaded.resume()).answer).toBe('It is 42.')

    await using again = await new Agent({ ...parts, model: replay(log), limits: { steps: 1 } }).session()
    await again.run({ text: 'Look.', images: [{ mediaType: 'image/png', data: 'AQI=' }] })
    await again.resume()
    expect(again.messages).toEqual(past)
  })

  it('keeps to the compaction that was made', async () => {
    const memory = dropOldObservations({ over: 300, keep: 1 })
    const { log, said } = await stopped(
      [1, 2, 3, 4].map((n) => code(`print("row ${n} " * 80)`)),
      { memory },
    )
    expect(log.some(({ type }) => type === 'compaction')).toBe(true)
    const { agent, model } = scriptedAgent(['ok'])
    await agent.resume(log)
    expectGrowing(said, model.requests)
  })
})

describe.skipIf(!python.isMet)(`a host that is lost ${python.reason}`, () => {
  it('loses the step in flight alone, and the model is told what may have run', { timeout: 30_000 }, async () => {
    const file = files.path('lost')
    const host = spawn(
      process.execPath,
      [
        '--conditions=@codeact/source',
        '--import',
        'tsx',
        fileURLToPath(new URL('lost-host.ts', import.meta.url)),
        file,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    // It says so from inside the second cell's tool; then it is killed as a host is: without a word.
    await once(host.stdout, 'data')
    host.kill('SIGKILL')
    await once(host, 'exit')
    const torn = await files.write('torn', (await readFile(file)).subarray(0, -20))
    expect((await readFile(torn, 'utf8')).endsWith('\n')).toBe(false)
    for (const log of [file, torn]) {
      const { agent, model } = scriptedAgent([code('x'), 'ok'])
      expect((await agent.resume(log, { state: 'rebuild' })).answer).toBe('ok')
      const shown = asText(model.requests[0]?.messages)
      const roles = model.requests[0]?.messages.map(({ role }) => role)
      expect(roles).toEqual(['system', 'user', 'assistant', 'user', 'user', 'user'])
      expect(shown.at(-2)).toContain('was run again')
      expect(shown.at(-1)).toContain('may have run')
      expect(shown.at(-1)).toContain(String.raw`x = 2\nhang()`)
      expect(model.lastShown).toBe('1')
    }
  })
})
