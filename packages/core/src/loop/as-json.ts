import type { JsonValue } from '@codeact/spec'

/**
 * A tool's result as JSON, for a model to read. What JSON cannot say is spelled: large integers as digits, bytes as base64, sets
 * as lists, maps as objects, `NaN` and the infinities by name. Throws for a value that contains itself.
 */
export function asJson(value: unknown): JsonValue {
  const text = JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, item) {
    const given = this[key] // before a `toJSON` of its own, which buffers have
    return given instanceof Uint8Array ? Buffer.from(given).toString('base64') : spelled(item)
  })
  return text === undefined ? null : (JSON.parse(text) as JsonValue)
}

function spelled(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (value instanceof Set) return [...value]
  return value instanceof Map ? Object.fromEntries(value) : value
}
