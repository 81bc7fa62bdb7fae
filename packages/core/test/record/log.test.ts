import { readFile } from 'node:fs/promises'
import type { CodeActEvent } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { code, eventsOf, python, scriptedAgent } from '../support.ts'
import { logFiles } from './support.ts'

const files = logFiles()
const linesOf = async (file: string): Promise<string[]> => (await readFile(file, 'utf8')).split('\n').slice(0, -1)
const logOf = async (file: string): Promise<CodeActEvent[]> =>
  (await linesOf(file)).map((line) => JSON.parse(line) as CodeActEvent)

describe.skipIf(!python.isMet)(`a log ${python.reason}`, () => {
  it('has each event of a run as a line, by the time that others hear it', async () => {
    const file = files.path('log')
    const { agent } = scriptedAgent([code('print("hi")'), 'ok'])
    const run = agent.run('x', { log: file })
    for await (const { seq } of run) expect((await linesOf(file)).length).toBeGreaterThan(seq)
    expect(await logOf(file)).toEqual(await eventsOf(run))
  })

  it('may be a function', async () => {
    const seen: CodeActEvent[] = []
    const { agent } = scriptedAgent(['ok'])
    const run = agent.run('x', { log: (event) => seen.push(event) })
    await run
    expect(seen).toEqual(await eventsOf(run))
  })

  it('that cannot be written is said, at once or when it happens', async () => {
    const { agent } = scriptedAgent(['ok', 'ok'])
    await expect(agent.run('x', { log: files.path('missing/log') })).rejects.toMatchObject({
      code: 'LOG_UNWRITABLE',
      hint: expect.stringContaining('Make its folder'),
    })
    const full = (event: CodeActEvent): void => {
      if (event.type === 'model-start') throw new Error('the disk is full')
    }
    await expect(agent.run('x', { log: full })).rejects.toThrow('the disk is full')
  })

  it('goes on after a line that was left half written', async () => {
    const file = await files.write('torn', '{"type":"progress"}\n{"type":"prog')
    const { agent } = scriptedAgent(['ok'])
    await agent.run('x', { log: file })
    expect((await logOf(file)).map(({ type }) => type).slice(0, 2)).toEqual(['progress', 'run-start'])
  })
})
