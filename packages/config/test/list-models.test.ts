import { describe, expect, test } from 'vitest'
import { listModels, loadConfig } from '../src/index.ts'
import { failure, installed, project } from './project.ts'

const load = (cwd: string) => loadConfig({ cwd, env: {} })

/** A provider whose list shows what it was asked with; at the address `hang` it never comes. */
const provider = `
export const openai = () => ({ id: 'x', stream() {} })
export const listModels = async ({ signal, ...options }) =>
  options.baseURL === 'hang' ? new Promise(() => {}) : [JSON.stringify(options), String(signal.aborted)]`

const withProvider = (model: object) =>
  project({ ...installed('@codeact/provider-openai', provider), 'codeact.config.json': { model } })

describe('the list of models', () => {
  test('is that of the provider, asked with the options of the config, but for the model’s name', async () => {
    await using here = await withProvider({ name: 'openai', model: 'm', baseURL: 'http://x', apiKey: 'k' })
    const asked = JSON.stringify({ baseURL: 'http://x', apiKey: 'k' })
    expect(await listModels(await load(here.folder))).toEqual([`openai:${asked}`, 'openai:false'])
  })

  test('is not waited for after an abort', async () => {
    await using here = await withProvider({ name: 'openai', model: 'm', baseURL: 'hang' })
    const reason = new Error('enough')
    await expect(listModels(await load(here.folder), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  test('of nobody -> MODEL_MISSING', async () => {
    await using here = await project()
    const { code, hint } = await failure(async () => listModels(await load(here.folder)))
    expect(code).toBe('MODEL_MISSING')
    expect(hint).toContain('--model openai:')
  })

  test('where there is none -> MODELS_UNKNOWN', async () => {
    await using here = await project({ 'codeact.config.json': { model: 'replay:x.jsonl' } })
    expect((await failure(async () => listModels(await load(here.folder)))).code).toBe('MODELS_UNKNOWN')
    const own = { id: 'mine:m', async *stream() {} }
    const error = await failure(() => listModels({ model: own }))
    expect(error).toMatchObject({ code: 'MODELS_UNKNOWN', message: expect.stringContaining('mine:m') })
  })
})
