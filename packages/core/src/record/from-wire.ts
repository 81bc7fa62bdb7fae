import type { JsonValue } from '@codeact/spec'

/**
 * A tool's value as it was before it went to the code, where events have it in the form in which it went: bytes, large integers
 * and the like are objects with the one key `$`.
 */
export function fromWire(wire: JsonValue): unknown {
  if (typeof wire !== 'object' || wire === null) return wire
  if (isList(wire)) return wire.map(fromWire)
  if (Object.hasOwn(wire, '$')) return tagged(wire.$)
  return new Map(Object.entries(wire).map(([key, value]) => [key, fromWire(value)]))
}

function tagged(wire: JsonValue | undefined): unknown {
  const [tag, data] = wire !== undefined && isList(wire) ? wire : []
  if (tag === 'bytes') return new Uint8Array(Buffer.from(String(data), 'base64'))
  if (tag === 'int') return BigInt(String(data))
  if (tag === 'float') return FLOATS[String(data)] ?? Number(data)
  const pairs = data !== undefined && isList(data) ? data : []
  return new Map(
    pairs.map((pair) => (isList(pair) ? [fromWire(pair[0] ?? null), fromWire(pair[1] ?? null)] : [pair, null])),
  )
}

const FLOATS: Readonly<Record<string, number>> = { nan: Number.NaN, inf: Infinity, '-inf': -Infinity }

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
