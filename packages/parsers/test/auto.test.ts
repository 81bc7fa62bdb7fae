import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type AutoOptions, auto } from '../src/auto.ts'
import { xml } from '../src/xml.ts'

const picked = (model: string | undefined, options?: AutoOptions): string =>
  auto(options)({ languages: ['python'], tools: [], ...(model === undefined ? {} : { model }) }).name

describe('auto() picks by model', () => {
  test.each([
    ['openai:gpt-5-mini', 'tool-call'],
    ['openai:o3', 'tool-call'],
    ['openai:gpt-5-chat-latest', 'fenced'],
    ['openai:gpt-4o-search-preview', 'fenced'],
    ['openai:gpt-oss:20b', 'fenced'],
    ['anthropic:claude-sonnet-4-5', 'tool-call'],
    ['ai-sdk:openai.responses/gpt-5', 'tool-call'],
    ['ai-sdk:amazon-bedrock/us.anthropic.claude-opus-4', 'tool-call'],
    ['ai-sdk:google.generative-ai/gemini-2.5-pro', 'fenced'],
    ['openai:qwen3:8b', 'fenced'],
    ['openai:CodeActAgent-Mistral-7b', 'xml'],
    ['scripted', 'fenced'],
    [undefined, 'fenced'],
  ])('%s: %s', (model, name) => expect(picked(model)).toBe(name))

  test('by the user’s table first, from its top, by the whole id', () => {
    const models = { 'openai:gpt-5': 'xml', 'openai:gpt-5*': 'code-only', '*QWEN*': xml({ tag: 'run' }) } as const
    expect(picked('openai:gpt-5', { models })).toBe('xml')
    expect(picked('openai:gpt-5-mini', { models })).toBe('code-only')
    expect(picked('openai:gpt-4o', { models })).toBe('tool-call')
    expect(auto({ models })({ languages: [], tools: [], model: 'openai:qwen3:8b' })).toBe(models['*QWEN*'])
    expect(picked('any', { models: { '*': 'xml' } })).toBe('xml')
  })

  test('characters of a pattern are text, but for the star', () => {
    expect(picked('openai:a.b', { models: { 'openai:a.b': 'xml' } })).toBe('xml')
    expect(picked('openai:axb', { models: { 'openai:a.b': 'xml' } })).toBe('fenced')
    expect(picked('a(b', { models: { 'a(*': 'xml' } })).toBe('xml')
  })

  test('as the table in the README says', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    const names: Record<string, string> = { toolCall: 'tool-call', fenced: 'fenced', xml: 'xml' }
    const rows = [...readme.matchAll(/^\| (`.*\*.*`) +\| `(toolCall|fenced|xml)\(\)` +\|/gm)]
    expect(rows).toHaveLength(6)
    for (const [, patterns = '', parser = ''] of rows) {
      for (const [, pattern = ''] of patterns.matchAll(/`([^`]+)`/g)) {
        expect([pattern, picked(pattern.replaceAll('*', '5'))]).toEqual([pattern, names[parser]])
      }
    }
  })

  test('by another model than the agent’s, where that one does not tell', () => {
    expect(picked('openai:my-deployment', { model: 'openai:gpt-5' })).toBe('tool-call')
  })
})
