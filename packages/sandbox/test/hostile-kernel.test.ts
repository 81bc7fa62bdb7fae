import type { Execution, Tool } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { defineExecutor } from '../src/index.ts'
import { type Script, scriptedBackend } from './scripted-backend.ts'

const done = { ok: true, value: { 'text/plain': '1' } }

async function runWith(script: Script, { tools = [] as Tool[], cells = 1 } = {}) {
  const backend = scriptedBackend(script)
  const executor = defineExecutor({
    name: 'scripted',
    languages: ['python'],
    options: { timeoutMs: 500 },
    unsupported: {},
    openBackend: async () => backend,
  })
  const sandbox = await executor.open({ tools })
  const executions: Execution[] = []
  for (let n = 0; n < cells; n++) executions.push(await sandbox.execute('1'))
  await executor.close()
  return { executions, kernels: backend.kernels }
}

const onRun = (say: (kernel: Parameters<Script>[0], id: string) => void): Script => {
  return (kernel, frame) => {
    if (frame.type === 'run') say(kernel, frame.id ?? '')
  }
}

describe('a kernel that cannot be trusted', () => {
  it.each([
    ['a result that is no JSON', '{"ok": tru'],
    ['a result without an outcome', {}],
    ['a result of the wrong shape', { ok: 'yes' }],
    ['a value that is no bundle', { ok: true, value: [1] }],
    ['an error without a message', { ok: false, error: { name: 'X' } }],
    ['null', 'null'],
  ])('ends with a protocol error for %s', async (_what, body) => {
    const { executions } = await runWith(onRun((kernel, id) => kernel.say('done', id, body)))
    expect(executions[0]).toMatchObject({ status: 'crashed', reason: 'protocol', state: 'lost' })
  })

  it('is not heard on cells that do not run', async () => {
    const { executions } = await runWith(
      onRun((kernel, id) => {
        kernel.say('done', 'cell_of_another', { ok: false, error: { name: 'A', message: 'b', traceback: 'c' } })
        kernel.say('display', 'cell_of_another', { 'text/plain': 'no' })
        kernel.say('unheard-of', id, {})
        kernel.say('done', id, done)
        kernel.say('done', id, { ok: false })
      }),
      { cells: 2 },
    )
    expect(executions.map(({ status, displays }) => [status, displays.length])).toEqual([
      ['ok', 0],
      ['ok', 0],
    ])
  })

  it('gets no tool by a name that is a property of every object', async () => {
    const { kernels } = await runWith(
      onRun((kernel, id) => {
        for (const [index, name] of ['__proto__', 'constructor', 'toString', 'rm'].entries()) {
          kernel.say('call', `c${index}`, { name, args: [], kwargs: {} })
        }
        setTimeout(() => kernel.say('done', id, done), 50)
      }),
    )
    const results = kernels[0]?.sent.filter(({ type }) => type === 'result').map(({ body }) => body)
    expect(results).toHaveLength(4)
    for (const result of results ?? []) expect(result).toMatchObject({ ok: false, error: { name: 'NameError' } })
  })

  it('runs no tool outside a cell', async () => {
    let ran = 0
    const schema = { jsonSchema: { type: 'object' }, validate: (value: unknown) => ({ ok: true as const, value }) }
    const tool: Tool = { name: 'act', description: '', parameters: schema, execute: () => ++ran }
    const { kernels } = await runWith(
      onRun((kernel, id) => {
        kernel.say('done', id, done)
        kernel.say('call', 'late', { name: 'act', args: [], kwargs: {} })
      }),
      { tools: [tool] },
    )
    expect(ran).toBe(0)
    expect(kernels[0]?.sent.at(-1)).toMatchObject({ type: 'result', id: 'late', body: { ok: false } })
  })

  it('that says nothing more is interrupted, killed and left behind', async () => {
    const { executions, kernels } = await runWith(onRun((kernel, id) => kernel.say('stdout', id, 'partial')))
    expect(executions[0]).toMatchObject({ status: 'timeout', state: 'lost', stdout: 'partial' })
    expect(kernels[0]?.signals).toEqual(['interrupt', 'kill-cell'])
    expect(kernels).toHaveLength(2)
  })

  it('that uses a call id twice at once is cut off', async () => {
    const schema = { jsonSchema: { type: 'object' }, validate: (value: unknown) => ({ ok: true as const, value }) }
    const tool: Tool = { name: 'wait', description: '', parameters: schema, execute: () => new Promise(() => {}) }
    const { executions } = await runWith(
      onRun((kernel) => {
        kernel.say('call', 'same', { name: 'wait', args: [], kwargs: {} })
        kernel.say('call', 'same', { name: 'wait', args: [], kwargs: {} })
      }),
      { tools: [tool] },
    )
    expect(executions[0]).toMatchObject({ status: 'crashed', reason: 'protocol' })
  })

  it('that calls without end is refused, and then cut off, once', async () => {
    const schema = { jsonSchema: { type: 'object' }, validate: (value: unknown) => ({ ok: true as const, value }) }
    let waiting = 0
    const execute = () => new Promise(() => (waiting += 1))
    const tool: Tool = { name: 'wait', description: '', parameters: schema, execute }
    const { executions, kernels } = await runWith(
      onRun((kernel) => {
        for (let n = 0; n < 30_000; n++) kernel.say('call', `c${n}`, { name: 'wait', args: [], kwargs: {} })
      }),
      { tools: [tool] },
    )
    expect(executions[0]).toMatchObject({ status: 'crashed', reason: 'protocol' })
    expect(waiting).toBeLessThan(5000)
    expect(kernels[0]?.sent.filter(({ type }) => type === 'result').length).toBeLessThan(20_000)
    expect(kernels[0]?.closes).toBeLessThan(5)
  })

  it('that died while no cell ran is told by the next cell, which does not run', async () => {
    const { executions, kernels } = await runWith(
      onRun((kernel, id) => {
        kernel.say('done', id, done)
        kernel.die({ reason: 'signal', detail: 'SIGALRM' })
      }),
      { cells: 3 },
    )
    expect(executions.map(({ status, state }) => [status, state])).toEqual([
      ['ok', 'kept'],
      ['crashed', 'lost'],
      ['ok', 'kept'],
    ])
    expect(kernels[0]?.sent.filter(({ type }) => type === 'run')).toHaveLength(1)
  })

  it('that shows without end is not kept in whole', async () => {
    const { executions } = await runWith(
      onRun((kernel, id) => {
        for (let n = 0; n < 300; n++) kernel.say('display', id, { 'text/plain': 'x'.repeat(100_000) })
        kernel.say('done', id, done)
      }),
    )
    expect(executions[0]?.displays.length).toBeLessThan(200)
    expect(executions[0]?.displays.at(-1)?.['text/plain']).toContain('left out')
  })

  it('whose output comes between cells is heard in the next', async () => {
    const { executions } = await runWith(
      onRun((kernel, id) => {
        kernel.say('done', id, done)
        kernel.say('stdout', '-', 'late')
      }),
      { cells: 2 },
    )
    expect(executions.map(({ stdout }) => stdout)).toEqual(['', 'late'])
  })
})

describe('tools', () => {
  const schema = { jsonSchema: { type: 'object' }, validate: (value: unknown) => ({ ok: true as const, value }) }
  const named = (name: string): Tool => ({ name, description: '', parameters: schema, execute: () => null })

  it.each([['a-b'], ['1x'], ['']])('cannot be named %j', async (name) => {
    await expect(runWith(() => {}, { tools: [named(name)] })).rejects.toMatchObject({ code: 'TOOL_INVALID' })
  })

  it('cannot share a name', async () => {
    await expect(runWith(() => {}, { tools: [named('x'), named('x')] })).rejects.toMatchObject({ code: 'TOOL_INVALID' })
  })
})
