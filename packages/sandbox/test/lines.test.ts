import type { Tool } from '@codeact/spec'
import { describeKernel } from '@codeact/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defineExecutor, type SandboxOptions } from '../src/index.ts'
import { lines } from './lines/executor.ts'
import { leftovers } from './lines/leftovers.ts'
import { LINES_SNIPPETS } from './lines/snippets.ts'
import { scriptedBackend } from './scripted-backend.ts'

describeKernel({ language: 'lines', snippets: LINES_SNIPPETS, create: lines, leftovers })

const schema = { jsonSchema: { type: 'object' }, validate: (value: unknown) => ({ ok: true as const, value }) }
const bad: Tool = { name: '1st', description: '', parameters: schema, execute: () => null }

async function open(options?: SandboxOptions) {
  const executor = lines(options)
  onTestFinished(() => executor.close())
  return executor.open()
}

describe('languages', () => {
  it('are those of the executor, the first for cells that name none', async () => {
    const sandbox = await open()
    await sandbox.execute('set x 1')
    expect((await sandbox.inspect?.('couplets'))?.map(({ name }) => name)).toEqual(['x'])
  })

  it('have each a state of their own, and die alone', async () => {
    const sandbox = await open()
    await sandbox.execute('set x 1', { language: 'couplets' })
    await sandbox.execute('set x 2', { language: 'lines' })
    expect((await sandbox.execute('exit 1', { language: 'lines' })).state).toBe('lost')
    expect((await sandbox.execute('sum x', { language: 'couplets' })).value).toEqual({ 'text/plain': '1' })
    expect((await sandbox.execute('sum x', { language: 'lines' })).error?.name).toBe('Unknown')
  })

  it('are those that the options name, in their order', async () => {
    const turned = await open({ languages: ['lines', 'couplets'] })
    expect(turned.capabilities.languages.map(({ language }) => language)).toEqual(['lines', 'couplets'])
    await turned.execute('set x 1')
    expect((await turned.inspect?.('lines'))?.map(({ name }) => name)).toEqual(['x'])

    const one = await open({ languages: ['lines'] })
    await expect(one.execute('set x 1', { language: 'couplets' })).rejects.toMatchObject({
      code: 'LANGUAGE_UNKNOWN',
      hint: 'It runs lines.',
    })
  })

  it.each([
    ['that were asked for and are not there', { languages: ['couplets', 'lines'] }, ['couplets']],
    ['of which there is none', {}, []],
  ])('%s are missed when it opens', async (_which, options, found) => {
    const definition = { name: 'scripted', languages: ['couplets', 'lines'], options, unsupported: {} }
    const executor = defineExecutor({ ...definition, openBackend: async () => scriptedBackend(() => {}, found) })
    await expect(executor.open()).rejects.toMatchObject({
      code: 'LANGUAGE_UNKNOWN',
      hint: `It runs ${found[0] ?? 'none'}.`,
    })
  })
})

it('a cell that was stopped tells where it was, and why it ended instead of what its language calls that', async () => {
  const sandbox = await open()
  const { error } = await sandbox.execute('set x 1\nsleep 60', { timeoutMs: 200 })
  expect(error?.traceback).toBe('  in: sleep 60\nTimeoutError: the time limit of 0.2 s was exceeded')
})

it('nothing is left of a sandbox that could not open', async () => {
  const before = await leftovers()
  const executor = lines({ setup: { couplets: 'fail at once' } })
  onTestFinished(() => executor.close())
  await expect(executor.open()).rejects.toMatchObject({ code: 'SETUP_FAILED' })
  await expect(executor.open({ tools: [bad] })).rejects.toMatchObject({ code: 'TOOL_INVALID' })
  expect(await leftovers()).toEqual(before)
})
