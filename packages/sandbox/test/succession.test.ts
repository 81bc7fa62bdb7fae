import type { Execution, Tool } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { defineExecutor } from '../src/index.ts'
import { type Script, type ScriptedKernel, scriptedBackend } from './scripted-backend.ts'

const SEGFAULT = { reason: 'signal', detail: 'SIGSEGV' } as const
const done = { ok: true, value: { 'text/plain': '1' } }

/** A sandbox whose kernel does with the n-th cell what the n-th of these says. */
async function opened(cells: readonly ((kernel: ScriptedKernel, id: string) => void)[], tools: readonly Tool[] = []) {
  let count = 0
  const script: Script = (kernel, frame) => {
    if (frame.type === 'run') cells[count++]?.(kernel, frame.id ?? '')
  }
  const backend = scriptedBackend(script, ['python'], (kernel) => kernel.copied())
  const executor = defineExecutor({
    name: 'scripted',
    languages: ['python'],
    options: { timeoutMs: 500 },
    unsupported: {},
    openBackend: async () => backend,
  })
  const sandbox = await executor.open({ tools })
  return { sandbox, kernel: backend.kernels[0] as ScriptedKernel, kernels: backend.kernels }
}

const succeed = (kernel: ScriptedKernel): void => kernel.succeed(SEGFAULT, { restored: ['x'], lost: ['1 thread'] })
const answer = (kernel: ScriptedKernel, id: string): void => kernel.say('done', id, done)

describe('a kernel whose copy goes on in its place', () => {
  it('ends its cell, and takes the next', async () => {
    const { sandbox, kernels } = await opened([succeed, answer])
    const rollback = { restored: ['x'], lost: ['1 thread'] }
    expect(await sandbox.execute('1')).toMatchObject({
      status: 'crashed',
      reason: 'signal',
      state: 'rolled-back',
      rollback,
    })
    expect(await sandbox.execute('1')).toMatchObject({ status: 'ok', state: 'kept' })
    expect(kernels).toHaveLength(1)
    await sandbox.close()
  })

  it('tells the next cell, which does not run, where none was running', async () => {
    const { sandbox, kernel } = await opened([answer, answer])
    await sandbox.execute('1')
    succeed(kernel)
    expect(await sandbox.execute('1')).toMatchObject({ status: 'crashed', state: 'rolled-back' })
    expect(kernel.sent.filter(({ type }) => type === 'run')).toHaveLength(1)
    expect(await sandbox.execute('1')).toMatchObject({ status: 'ok' })
    await sandbox.close()
  })

  it('may take longer where it is far away', async () => {
    const { sandbox, kernel } = await opened([() => {}, answer])
    kernel.roundTripMs = 300
    kernel.onKill = () => void setTimeout(() => succeed(kernel), 550)
    expect(await sandbox.execute('1')).toMatchObject({ status: 'timeout', state: 'rolled-back' })
    expect(kernel.signals).toEqual(['interrupt', 'kill-cell'])
    expect(await sandbox.execute('1')).toMatchObject({ status: 'ok' })
    await sandbox.close()
  })

  it('gets no answer to a call that the dead one made, though it calls by the same id', async () => {
    const answers: ((value: string) => void)[] = []
    const parameters = { jsonSchema: { type: 'object' }, validate: (value: unknown) => ({ ok: true as const, value }) }
    const execute = (): Promise<string> => new Promise((resolve) => answers.push(resolve))
    const ask: Tool = { name: 'ask', description: '', parameters, execute }
    const call = { name: 'ask', args: [], kwargs: {} }
    const { sandbox, kernel } = await opened(
      [
        (kernel) => {
          kernel.say('call', 't1', call)
          succeed(kernel)
        },
        (kernel) => kernel.say('call', 't1', call),
      ],
      [ask],
    )
    await sandbox.execute('1')
    const second = sandbox.execute('1')
    await expect.poll(() => answers.length).toBe(2)
    answers[0]?.('of the dead')
    answers[1]?.('of the living')
    const results = () => kernel.sent.filter(({ type }) => type === 'result')
    await expect.poll(() => results().length).toBe(1)
    expect(JSON.stringify(results()[0])).toContain('of the living')
    kernel.succeed(SEGFAULT)
    expect((await second).state).toBe('rolled-back')
    await sandbox.close()
  })

  it('takes the place of one that said what nobody can read', async () => {
    const { sandbox, kernel } = await opened([(kernel, id) => kernel.say('done', id, 'null'), answer])
    kernel.onKill = () => succeed(kernel)
    const execution: Execution = await sandbox.execute('1')
    expect(execution).toMatchObject({ status: 'crashed', reason: 'protocol', state: 'rolled-back' })
    expect(await sandbox.execute('1')).toMatchObject({ status: 'ok' })
    await sandbox.close()
  })

  it('is not believed when nothing has ended', async () => {
    const { sandbox } = await opened([
      (kernel, id) => {
        kernel.say('awake', '-', { restored: [], lost: [] })
        answer(kernel, id)
      },
    ])
    expect(await sandbox.execute('1')).toMatchObject({ status: 'ok', state: 'kept' })
    await sandbox.close()
  })

  it('is asked again for the variables', async () => {
    const { sandbox, kernel } = await opened([])
    const asked = () => kernel.sent.filter(({ type }) => type === 'inspect').length
    const variables = sandbox.inspect?.()
    await expect.poll(asked).toBe(1)
    succeed(kernel)
    expect(asked()).toBe(2)
    kernel.say('variables', 'x', { variables: [{ name: 'x', type: 'int' }] })
    expect(await variables).toEqual([{ name: 'x', type: 'int' }])
    await sandbox.close()
  })
})
