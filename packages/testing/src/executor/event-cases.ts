import type { CellEvent } from '@codeact/spec'
import { expect, it } from 'vitest'
import type { Subject } from './subject.ts'
import { bareTool, INTEGER } from './tools.ts'

export function eventCases(subject: Subject): void {
  it('events > tell a cell from start to end, in order', async () => {
    const add = bareTool('add', { a: INTEGER, b: INTEGER }, ({ a, b }) => Number(a) + Number(b))
    const sandbox = await subject.open({}, { tools: [add] })
    const run = sandbox.execute('print("one")\nadd(1, 2)\nprint("two")\n3')
    const events: CellEvent[] = []
    for await (const event of run) events.push(event)
    const execution = await run
    expect(events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])).toEqual([
      'execution-start',
      'stdout-delta',
      'tool-start',
      'tool-end',
      'stdout-delta',
      'execution-end',
    ])
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
    expect(events.at(-1)).toMatchObject({ execution: JSON.parse(JSON.stringify(execution)) })
    expect(JSON.parse(JSON.stringify(events))).toEqual(events)
  })

  it('events > close every start exactly once, whatever happens', async () => {
    const sandbox = await subject.open()
    for (const code of ['1 / 0', 'import os; os._exit(1)', 'while True: pass']) {
      const events: CellEvent[] = []
      for await (const event of sandbox.execute(code, { timeoutMs: 400 })) events.push(event)
      const ids = (type: string) => events.filter((event) => event.type === type).map(({ id }) => id)
      expect(ids('execution-end'), code).toEqual(ids('execution-start'))
      expect(ids('execution-end'), code).toHaveLength(1)
    }
  })
}
