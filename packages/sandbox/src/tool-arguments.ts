import type { JsonSchema } from '@codeact/spec'

/** The names that positional arguments bind to: the schema's required properties first, each group in schema order. */
export function parameterNames(schema: JsonSchema): string[] {
  const names = Object.keys(isRecord(schema.properties) ? schema.properties : {})
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  return [...names.filter((name) => required.has(name)), ...names.filter((name) => !required.has(name))]
}

/** Binds a call's arguments to names, as Python does; a call that does not fit throws a `TypeError` that says how. */
export function bindArguments(schema: JsonSchema, args: readonly unknown[], kwargs: Record<string, unknown>): object {
  const names = parameterNames(schema)
  if (args.length > names.length) {
    throw new TypeError(`takes ${count(names.length, 'positional argument')} but ${args.length} were given`)
  }
  const bound = new Map(args.map((value, index) => [names[index] as string, value]))
  for (const [name, value] of Object.entries(kwargs)) {
    if (bound.has(name)) throw new TypeError(`got more than one value for argument '${name}'`)
    if (!names.includes(name) && schema.additionalProperties === false) throw unexpected(name, names)
    bound.set(name, value)
  }
  return Object.fromEntries(bound)
}

function unexpected(name: string, names: readonly string[]): TypeError {
  return new TypeError(`got an unexpected argument '${name}'; it takes ${names.join(', ') || 'none'}`)
}

function count(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
