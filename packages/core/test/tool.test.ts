import type { ToolContext, Validation } from '@codeact/spec'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { tool } from '../src/index.ts'
import { pythonSignature } from '../src/tools/python-signature.ts'

const context = {} as ToolContext
const check = async (made: ReturnType<typeof tool>, input: unknown): Promise<Validation<unknown>> =>
  made.parameters.validate(input)

describe('tool()', () => {
  it('takes a JSON Schema, and knows the types of its input', async () => {
    const made = tool({
      name: 'repeat',
      description: 'Repeats a word.',
      parameters: {
        type: 'object',
        properties: { word: { type: 'string' }, times: { type: 'integer' }, mode: { enum: ['fast', 'slow'] } },
        required: ['word'],
      },
      execute: (input) => {
        expectTypeOf(input.word).toEqualTypeOf<string>()
        expectTypeOf(input.times).toEqualTypeOf<number | undefined>()
        expectTypeOf(input.mode).toEqualTypeOf<'fast' | 'slow' | undefined>()
        return input.word.repeat(input.times ?? 1)
      },
    })
    expect(await made.execute({ word: 'ab', times: 2 }, context)).toBe('abab')
    expect(await check(made, { word: 'x' })).toEqual({ ok: true, value: { word: 'x' } })
    expect(await check(made, { word: 1, mode: 'odd' })).toEqual({
      ok: false,
      issues: ['word: expected string, got number', 'mode: expected "fast" or "slow", got "odd"'],
    })
  })

  it('takes a Standard Schema, with its defaults and its messages', async () => {
    const made = tool({
      name: 'scale',
      description: 'Scales.',
      parameters: z.object({ value: z.number().describe('What to scale.'), by: z.number().default(2) }),
      returns: z.number(),
      execute: ({ value, by }) => {
        expectTypeOf(value).toEqualTypeOf<number>()
        return value * by
      },
    })
    expect(await check(made, { value: 3 })).toEqual({ ok: true, value: { value: 3, by: 2 } })
    expect(await check(made, { value: 'x' })).toMatchObject({ ok: false, issues: [expect.stringMatching(/^value: /)] })
    expect(pythonSignature(made)).toBe(
      'def scale(value: float, by: float = 2) -> float:\n    """Scales.\n\n    Args:\n        value: What to scale.\n    """',
    )
  })

  it('fails at once where a schema cannot be shown', () => {
    const mute = { '~standard': { version: 1, vendor: 'mute', validate: (value: unknown) => ({ value }) } } as const
    const make = () => tool({ name: 'x', description: '', parameters: mute, execute: () => null })
    expect(make).toThrow(expect.objectContaining({ code: 'TOOL_INVALID' }))
    expect(() => tool({ name: 'x', description: '', parameters: { type: 'string' }, execute: () => null })).toThrow(
      /object schema/,
    )
  })
})

describe('a JSON Schema', () => {
  const checked = (properties: object, value: object): Validation<unknown> => {
    const made = tool({
      name: 'x',
      description: '',
      parameters: { type: 'object', properties, additionalProperties: false },
      execute: () => null,
    })
    return made.parameters.validate(value) as Validation<unknown>
  }

  it.each([
    [{ type: 'integer' }, 2.5, 'v: expected integer, got number'],
    [{ type: 'number', minimum: 1 }, 0, 'v: expected at least 1, got 0'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'v: expected at most 2 characters, got 3'],
    [{ type: ['string', 'null'] }, 1, 'v: expected string or null, got number'],
    [{ type: 'array', items: { type: 'string' } }, ['a', 1], 'v[1]: expected string, got number'],
    [
      { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
      1,
      'v: expected string, got number, or v: expected boolean, got number',
    ],
    [{ const: 'a' }, 'b', 'v: expected "a", got "b"'],
    [{ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }, {}, 'v: is missing n'],
    [{ type: 'object' }, [], 'v: expected object, got array'],
    [{ type: 'string' }, new Uint8Array(), 'v: expected string, got bytes'],
  ])('%j refuses %j', (schema, value, issue) => {
    expect(checked({ v: schema }, { v: value })).toEqual({ ok: false, issues: [issue] })
  })

  it.each([
    [{ type: 'number' }, 1],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
    [{}, new Uint8Array()],
    [{ format: 'email', type: 'string' }, 'not one'],
  ])('%j takes %j', (schema, value) => expect(checked({ v: schema }, { v: value }).ok).toBe(true))

  it('takes a large integer', () => expect(checked({ v: { type: 'integer' } }, { v: 10n ** 20n }).ok).toBe(true))

  it('does not know what it was not told of', () => {
    expect(checked({}, { toString: 1 })).toEqual({ ok: false, issues: ['does not know toString'] })
  })

  it('follows references inside the document', () => {
    const parameters = {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/tree' } },
      $defs: { tree: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/tree' } } } } },
    }
    const made = tool({ name: 'x', description: '', parameters, execute: () => null })
    expect(made.parameters.validate({ tree: { kids: [{ kids: [7] }] } })).toEqual({
      ok: false,
      issues: ['tree.kids[0].kids[0]: expected object, got number'],
    })
  })
})

describe('a Python signature', () => {
  it('puts required arguments first, and says what Python would', () => {
    const made = tool({
      name: 'find',
      description: 'Finds """things""".',
      parameters: {
        type: 'object',
        properties: {
          limit: { type: 'integer', default: 10 },
          where: { type: 'array', items: { type: 'string' } },
          mode: { enum: ['all', 'any'] },
          exact: { type: 'boolean', default: false },
          extra: { type: 'object', additionalProperties: { type: 'number' } },
        },
        required: ['where', 'mode'],
      },
      returns: { anyOf: [{ type: 'object' }, { type: 'null' }] },
      execute: () => null,
    })
    expect(pythonSignature(made)).toBe(
      'def find(where: list[str], mode: Literal["all", "any"], limit: int = 10, exact: bool = False, ' +
        'extra: dict[str, float] | None = None) -> dict | None:\n    """Finds \'\'\'things\'\'\'."""',
    )
  })
})
