import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LanguageModel, ModelEvent, ModelRequest } from '@codeact/spec'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { record, replay, scripted } from '../src/index.ts'
import { ask, observation, reply, said, system, task } from './transcripts.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codeact-record-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const script = ['<execute>1 + 2</execute>', 'It is 3.', '<execute>a</execute><execute>b</execute>', 'So it is.']

/** The transcripts that the model was asked with, in a session of two tasks. */
const asked = [
  [task('Add 1 and 2.')],
  [task('Add 1 and 2.'), reply(script[0] as string), observation('3')],
  [task('Add 1 and 2.'), reply(script[0] as string), observation('3'), reply(script[1] as string), task('Go on.')],
]
const last = [...(asked[2] ?? []), reply(script[2] as string), observation('first'), observation('second')]
const session = [...asked, last]

async function hold(model: LanguageModel): Promise<string[]> {
  const heard: string[] = []
  for (const messages of session) heard.push(await said(model, ...messages))
  return heard
}

describe('a recorded model', () => {
  test('says what it would have said', async () => {
    const model = scripted(script)
    const recorder = record(model)
    expect(recorder.id).toBe(model.id)
    for (const messages of session) expect(await ask(recorder, ...messages)).toEqual(await ask(model, ...messages))
  })

  test('leaves events that replay plays, and holds to', async () => {
    const recorder = record(scripted(script))
    await hold(recorder)
    expect(await hold(replay(recorder.events))).toEqual(script)
    await expect(said(replay(recorder.events), task('Another.'))).rejects.toThrow('another task')
    const other = [...(asked[2] ?? []), reply(script[2] as string), observation('first'), observation('third')]
    await expect(said(replay(recorder.events), ...other)).rejects.toThrow('[block 2]\n            third')
  })

  test('leaves events of the grammar', async () => {
    const recorder = record(scripted(script))
    await hold(recorder)
    expect(recorder.events.map(({ type }) => type)).toEqual([
      ...['run-start', 'model-end', 'observation', 'model-end'],
      ...['run-start', 'model-end', 'observation', 'model-end'],
    ])
    expect(recorder.events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(new Set(recorder.events.map(({ id }) => id)).size).toBe(8)
  })

  test('notes a call that failed not at all, and the one in its place once', async () => {
    let calls = 0
    const flaky: LanguageModel = {
      id: 'flaky',
      async *stream(request) {
        if (calls++ === 0) throw new Error('overloaded')
        yield* scripted(script).stream(request)
      },
    }
    const recorder = record(flaky)
    await expect(ask(recorder, task('x'))).rejects.toThrow('overloaded')
    expect(recorder.events).toEqual([])
    await ask(recorder, task('x'))
    expect(recorder.events.map(({ type }) => type)).toEqual(['run-start', 'model-end'])
  })
})

/** A model that holds keys as models do, and whose first call fails with them in its error. */
class Vendor implements LanguageModel {
  readonly id = 'vendor:m'
  readonly options: { readonly apiKey: string; readonly headers: Readonly<Record<string, string>> }
  #calls = 0

  constructor(options: Vendor['options']) {
    this.options = options
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const headers = { ...this.options.headers, authorization: `Bearer ${process.env.VENDOR_API_KEY}` }
    if (this.#calls++ === 0) throw Object.assign(new Error(`401 for ${this.options.apiKey}`), { headers })
    yield* scripted(['fine']).stream({ ...request, headers } as ModelRequest)
  }
}

describe('a file', () => {
  test('has each reply in it by the time that it is whole, and is played', async () => {
    const file = join(folder, 'session.jsonl')
    const recorder = record(scripted(script), file)
    for (const [index, messages] of session.entries()) {
      await said(recorder, ...messages)
      expect(readFileSync(file, 'utf8').match(/"type":"model-end"/g)?.length).toBe(index + 1)
    }
    expect(await hold(replay(file))).toEqual(script)
  })

  test('is added to, never overwritten', async () => {
    const file = join(folder, 'twice.jsonl')
    await said(record(scripted(['one']), file), task('x'))
    await said(record(scripted(['', 'two']), file), task('x'), reply('one'), task('y'))
    expect(await said(replay(file), task('x'), reply('one'), task('y'))).toBe('two')
  })

  test('holds messages, and nothing else of a request', async () => {
    const file = join(folder, 'secret.jsonl')
    const recorder = record({ ...scripted(['fine']), id: 'openai:m' }, file)
    const request = { messages: [system, task('x')], stop: ['</stop>'], headers: { authorization: 'Bearer sk-1' } }
    for await (const _ of recorder.stream(request)) {
      // to its end
    }
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('fine')
    for (const part of ['sk-1', 'authorization', '</stop>', 'You write code.']) expect(text).not.toContain(part)
  })

  test('holds no secret: none of the options, none of the environment, none that an error tells', async () => {
    const file = join(folder, 'keys.jsonl')
    vi.stubEnv('VENDOR_API_KEY', 'env-0123456789')
    const vendor = new Vendor({ apiKey: 'key-0123456789', headers: { 'x-token': 'token-0123456789' } })
    const recorder = record(vendor, file)
    await expect(ask(recorder, task('x'))).rejects.toThrow('key-0123456789')
    await ask(recorder, task('x'))
    vi.unstubAllEnvs()
    const texts = [readFileSync(file, 'utf8'), JSON.stringify(recorder.events)]
    for (const text of texts) {
      expect(text).toContain('fine')
      expect(text).not.toMatch(/0123456789|apiKey|x-token|authorization/i)
    }
    expect(await said(replay(file), task('x'))).toBe('fine')
  })

  test('brings reasoning back whole, for the provider that made it, and tells none of it', async () => {
    const file = join(folder, 'reasoning.jsonl')
    const opaque = { thinking: 'Let me see: größe ✓\n', signature: 'EqQB+/==', nested: [null, { a: 1.5 }] }
    const reasoning = { type: 'reasoning', provider: 'anthropic', model: 'm', opaque } as const
    const call = { type: 'tool-call', callId: 'c', name: 'run', json: '{"code": "1' } as const
    const message = { role: 'assistant', content: [reasoning, { type: 'text', text: 'So.' }, call] } as const
    const usage = { inputTokens: 5, outputTokens: 3, cachedInputTokens: 2, reasoningTokens: 1 }
    const events = await ask(record(scripted([{ message, finish: 'length', usage }]), file), task('x'))
    const played = await ask(replay(file), task('x'))
    expect(played).toEqual(events)
    expect(played.at(-1)).toEqual({ type: 'end', message, finish: 'length', usage })
    expect(played.map(({ type }) => type)).not.toContain('reasoning-delta')
  })

  test('that cannot be written -> RECORDING_UNWRITABLE', async () => {
    const file = join(folder, 'no', 'such', 'folder.jsonl')
    await expect(ask(record(scripted(['a']), file), task('x'))).rejects.toMatchObject({
      code: 'RECORDING_UNWRITABLE',
      message: expect.stringContaining(file),
    })
  })
})
