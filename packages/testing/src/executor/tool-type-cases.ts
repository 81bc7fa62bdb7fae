import { expect } from 'vitest'
import { evaluate, type Subject } from './subject.ts'
import { bareTool, INTEGER, NUMBER } from './tools.ts'

const echo = bareTool('echo', { value: {} }, ({ value }) => value)

export function toolTypeCases(subject: Subject): void {
  subject.promise('tools', (it) => {
    it('give numbers the type of the schema', async () => {
      const price = bareTool('price', {}, () => 8100, { returns: NUMBER })
      const count = bareTool('count', {}, () => 8100, { returns: INTEGER })
      const untyped = bareTool('untyped', {}, () => 8100)
      const nested = bareTool('nested', {}, () => ({ items: [1, 2] }), {
        returns: { type: 'object', properties: { items: { type: 'array', items: NUMBER } } },
      })
      const sandbox = await subject.open({}, { tools: [price, count, untyped, nested] })
      expect(await evaluate(sandbox, 'price(), count(), untyped(), nested()')).toBe(
        "(8100.0, 8100, 8100, {'items': [1.0, 2.0]})",
      )
    })

    it('bring every value there and back unchanged', async () => {
      const sandbox = await subject.open({}, { tools: [echo] })
      const values = [
        'None, True, "text", "\\ud800", ""',
        'b"\\x00\\xff", [], {}, [1, [2, {"a": None}]]',
        '2**53, -2**63, 10**30, 2**53 - 1',
        '1.5, -0.25, float("inf"), float("-inf")',
        '{"__proto__": 1, "constructor": 2, "then": 3, "$": ["int", "7"]}',
      ]
      for (const value of values) {
        expect(
          await evaluate(sandbox, `[echo(v) == v and type(echo(v)) is type(v) for v in (${value},)].count(False)`),
        ).toBe('0')
      }
      expect(await evaluate(sandbox, 'import math\nmath.isnan(echo(float("nan"))), str(echo(-0.0))')).toBe(
        "(True, '-0.0')",
      )
    })

    it('see what the code passed as host values', async () => {
      const seen: unknown[] = []
      const take = bareTool('take', { value: {} }, ({ value }) => void seen.push(value))
      const sandbox = await subject.open({}, { tools: [take] })
      await evaluate(sandbox, 'for v in (1, 2.0, 10**20, b"\\x01", (1, 2), {1: "a"}, None):\n    take(v)')
      expect(seen).toEqual([1, 2, 10n ** 20n, new Uint8Array([1]), [1, 2], { 1: 'a' }, null])
    })

    it('say so when a value cannot be passed', async () => {
      const sandbox = await subject.open({}, { tools: [echo] })
      const { error } = await sandbox.execute('echo(object())')
      expect(error).toMatchObject({ name: 'TypeError', message: 'a value of type object cannot be passed to a tool' })
    })
  })
}
