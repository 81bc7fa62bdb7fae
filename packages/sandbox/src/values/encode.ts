import type { JsonSchema, JsonValue } from '@codeact/spec'

/**
 * Values on the wire are JSON. What JSON cannot say is an object with the one key `$`:
 *
 *     { "$": ["bytes", base64] }   { "$": ["int", digits] }   { "$": ["float", text] }   { "$": ["dict", [[key, value], …]] }
 *
 * A dictionary that has the key `$` itself travels as `dict`, so that no value can be mistaken for another.
 */
export function encodeValue(value: unknown, schema?: JsonSchema): JsonValue {
  return encode(value, schema, [])
}

function encode(value: unknown, schema: JsonSchema | undefined, path: readonly object[]): JsonValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return encodeNumber(value, schema)
  if (typeof value === 'bigint') return encodeBigInt(value)
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} cannot be sent to the sandbox`)
  if (path.includes(value)) throw new TypeError('a value that contains itself cannot be sent to the sandbox')
  return encodeObject(value, schema, [...path, value])
}

/** A `number` arrives as a float, an `integer` as an int; without a schema, an integral number is an int. */
function encodeNumber(value: number, schema: JsonSchema | undefined): JsonValue {
  const isInt = Number.isInteger(value) && !Object.is(value, -0) && !allows(schema, 'number')
  if (isInt) return Number.isSafeInteger(value) ? value : { $: ['int', BigInt(value).toString()] }
  if (Number.isInteger(value) || !Number.isFinite(value)) return { $: ['float', floatText(value)] }
  return value
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  return Object.is(value, -0) ? '-0.0' : String(value)
}

function encodeBigInt(value: bigint): JsonValue {
  const asNumber = Number(value)
  return Number.isSafeInteger(asNumber) ? asNumber : { $: ['int', value.toString()] }
}

function encodeObject(value: object, schema: JsonSchema | undefined, path: readonly object[]): JsonValue {
  if (value instanceof Uint8Array) return { $: ['bytes', Buffer.from(value).toString('base64')] }
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map((item) => encode(item, subschema(schema, 'items'), path))
  if (value instanceof Set) return [...value].map((item) => encode(item, undefined, path))
  if (value instanceof Map) return encodeEntries([...value], schema, path)
  return encodeEntries(Object.entries(value), schema, path)
}

function encodeEntries(
  entries: [unknown, unknown][],
  schema: JsonSchema | undefined,
  path: readonly object[],
): JsonValue {
  const pairs = entries
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => [key, encode(item, propertySchema(schema, key), path)] as const)
  if (pairs.every(([key]) => typeof key === 'string' && key !== '$')) return Object.fromEntries(pairs)
  return { $: ['dict', pairs.map(([key, item]) => [encode(key, undefined, path), item])] }
}

function propertySchema(schema: JsonSchema | undefined, key: unknown): JsonSchema | undefined {
  const properties = subschema(schema, 'properties')
  const known = typeof key === 'string' && properties && Object.hasOwn(properties, key) ? properties[key] : undefined
  return isSchema(known) ? known : subschema(schema, 'additionalProperties')
}

function subschema(schema: JsonSchema | undefined, keyword: string): JsonSchema | undefined {
  const value = schema?.[keyword]
  return isSchema(value) ? value : undefined
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a schema names the type, by itself or in a union. */
function allows(schema: JsonSchema | undefined, type: string): boolean {
  if (schema === undefined) return false
  if (schema.type === type || (Array.isArray(schema.type) && schema.type.includes(type))) return true
  const branches = schema.anyOf ?? schema.oneOf
  return Array.isArray(branches) && branches.some((branch) => isSchema(branch) && allows(branch, type))
}
