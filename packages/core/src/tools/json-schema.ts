import type { JsonSchema, Schema } from '@codeact/spec'

/**
 * A JSON Schema given as such, as a `Schema`. What is checked is what tools' inputs use: types, properties, items, enums,
 * unions, bounds, and references inside the document. Other keywords (`format`, `if`) describe, and do not refuse.
 */
export function fromJsonSchema<T>(schema: JsonSchema): Schema<T> {
  return {
    jsonSchema: schema,
    validate: (value) => {
      const issues = check(schema, value, '', schema)
      return issues.length === 0 ? { ok: true, value: value as T } : { ok: false, issues }
    },
  }
}

function check(schema: JsonSchema, value: unknown, path: string, root: JsonSchema): string[] {
  const target = typeof schema.$ref === 'string' ? resolve(schema.$ref, root) : schema
  const wrongType = checkType(target, value, path)
  if (wrongType !== undefined) return [wrongType]
  return [
    ...checkConstants(target, value, path),
    ...checkUnions(target, value, path, root),
    ...checkBounds(target, value, path),
    ...checkMembers(target, value, path, root),
  ]
}

function checkType({ type }: JsonSchema, value: unknown, path: string): string | undefined {
  if (type === undefined) return undefined
  const types = Array.isArray(type) ? type : [type]
  if (types.some((name) => IS_TYPE[String(name)]?.(value) ?? true)) return undefined
  return at(path, `expected ${types.join(' or ')}, got ${nameOf(value)}`)
}

const IS_TYPE: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' || typeof value === 'bigint',
  integer: (value) => Number.isInteger(value) || typeof value === 'bigint',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
}

function checkConstants(schema: JsonSchema, value: unknown, path: string): string[] {
  const allowed = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined
  if (allowed === undefined || allowed.some((one) => JSON.stringify(one) === textOf(value))) return []
  return [at(path, `expected ${allowed.map((one) => JSON.stringify(one)).join(' or ')}, got ${textOf(value)}`)]
}

function checkUnions(schema: JsonSchema, value: unknown, path: string, root: JsonSchema): string[] {
  const all = subschemas(schema.allOf).flatMap((branch) => check(branch, value, path, root))
  const branches = [...subschemas(schema.anyOf), ...subschemas(schema.oneOf)]
  const failures = branches.map((branch) => check(branch, value, path, root))
  if (failures.length === 0 || failures.some((issues) => issues.length === 0)) return all
  return [...all, failures.map((issues) => issues[0]).join(', or ')]
}

function checkBounds(schema: JsonSchema, value: unknown, path: string): string[] {
  const [low, high, size, unit] = measure(schema, value)
  if (size === undefined) return []
  if (typeof low === 'number' && size < low) return [at(path, `expected at least ${low}${unit}, got ${size}`)]
  if (typeof high === 'number' && size > high) return [at(path, `expected at most ${high}${unit}, got ${size}`)]
  return []
}

function measure(schema: JsonSchema, value: unknown): [unknown, unknown, (number | bigint)?, string?] {
  if (typeof value === 'number' || typeof value === 'bigint') return [schema.minimum, schema.maximum, value, '']
  if (typeof value === 'string') return [schema.minLength, schema.maxLength, value.length, ' characters']
  if (Array.isArray(value)) return [schema.minItems, schema.maxItems, value.length, ' items']
  return [undefined, undefined]
}

function checkMembers(schema: JsonSchema, value: unknown, path: string, root: JsonSchema): string[] {
  if (Array.isArray(value)) return checkItems(schema, value, path, root)
  return isObject(value) ? checkProperties(schema, value, path, root) : []
}

function checkItems(schema: JsonSchema, value: readonly unknown[], path: string, root: JsonSchema): string[] {
  const { items } = schema
  return isObject(items) ? value.flatMap((item, index) => check(items, item, `${path}[${index}]`, root)) : []
}

function checkProperties(schema: JsonSchema, value: JsonSchema, path: string, root: JsonSchema): string[] {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const missing = (Array.isArray(schema.required) ? schema.required : []).filter((name) => !Object.hasOwn(value, name))
  const present = Object.entries(value).flatMap(([name, item]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties
    if (known === false) return [at(path, `does not know ${name}`)]
    return isObject(known) ? check(known, item, path === '' ? name : `${path}.${name}`, root) : []
  })
  return [...missing.map((name) => at(path, `is missing ${name}`)), ...present]
}

/** `#/$defs/node` in the document it stands in. */
function resolve(reference: string, root: JsonSchema): JsonSchema {
  let found: unknown = root
  for (const part of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    found = isObject(found) ? found[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
  }
  return isObject(found) ? found : {}
}

function subschemas(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (value instanceof Uint8Array) return 'bytes'
  return typeof value === 'bigint' ? 'integer' : typeof value
}

function textOf(value: unknown): string {
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
}

function at(path: string, what: string): string {
  return path === '' ? what : `${path}: ${what}`
}
