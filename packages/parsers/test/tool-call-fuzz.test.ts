import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toolCall } from '../src/tool-call.ts'
import { readCalls, SEVERAL, TOOLS } from './support/calls.ts'

const runs = { numRuns: 300 }

const anyCode = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc
    .array(fc.constantFrom('\n', '"', '\\', '\\n', 'x = "a"', '😀', '}', '{', '\u2028', "'''"))
    .map((parts) => `a${parts.join('')}`),
)
/** JSON text of one object, its strings escaped as much as can be or as little. */
const anyJson = fc
  .tuple(anyCode, fc.constantFrom('js', 'python', undefined), fc.boolean(), fc.boolean())
  .map(([text, language, isFirst, isAscii]) => {
    const input = isFirst ? { language, code: text } : { code: text, language }
    const json = JSON.stringify(input)
    return isAscii
      ? json.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : json
  })

describe('whatever comes', () => {
  test('the code is what JSON.parse() would give', () => {
    fc.assert(
      fc.property(anyJson, fc.integer({ min: 1, max: 9 }), (json, size) => {
        const { events, actions } = readCalls(toolCall(), [{ json }], { size })
        const { code: text } = JSON.parse(json) as { code: string }
        fc.pre(text.trim() !== '')
        expect(actions).toMatchObject([{ type: 'code', code: text, closed: true }])
        expect(events.flatMap((event) => (event.type === 'code-delta' ? event.text : [])).join('')).toBe(text)
      }),
      runs,
    )
  })

  test('any slicing, and a cut anywhere, gives the same events', () => {
    const anyCalls = fc.array(
      fc.record({
        name: fc.constantFrom('execute_code', 'add', 'what'),
        json: fc.oneof(anyJson, fc.string(), fc.json()),
      }),
      { maxLength: 3 },
    )
    const cutOff = fc.tuple(anyCalls, fc.nat(40)).map(([calls, cut]) =>
      calls.map(({ name, json }, index) => ({
        name,
        json: index === calls.length - 1 ? json.slice(0, -cut || undefined) : json,
      })),
    )
    const options = { finish: 'length', context: { ...SEVERAL, tools: TOOLS.tools } } as const
    fc.assert(
      fc.property(cutOff, fc.integer({ min: 1, max: 9 }), fc.constantFrom('each', 'all'), (calls, size, ends) => {
        const parser = toolCall({ direct: 'all' })
        const whole = readCalls(parser, calls, { ...options, ends })
        expect(readCalls(parser, calls, { ...options, ends, size }).events).toEqual(whole.events)
        expect(whole.actions.map((action) => 'callId' in action && action.callId)).toEqual(
          calls.map((_, index) => `call ${index}`),
        )
        const letters = whole.raw.map(
          ({ type }) => ({ text: 't', 'code-start': '[', 'code-delta': 'd', 'code-end': ']', action: '!' })[type],
        )
        if (ends === 'each') expect(letters.join('')).toMatch(/^(?:!|\[d+\])*$/)
      }),
      runs,
    )
  })
})
