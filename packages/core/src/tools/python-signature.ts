import type { JsonSchema, Tool } from '@codeact/spec'

/** A tool as Python code would declare it: the form that models know best. */
export function pythonSignature({ name, description, parameters, returns }: Tool): string {
  const { properties, required } = objectParts(parameters.jsonSchema)
  const ordered = [...properties].sort(([a], [b]) => Number(required.has(b)) - Number(required.has(a)))
  const args = ordered.map(([key, schema]) => parameter(key, schema, required.has(key)))
  const result = returns === undefined ? '' : ` -> ${pythonType(returns.jsonSchema)}`
  return `def ${name}(${args.join(', ')})${result}:\n${indent(docstring(description, ordered))}`
}

function objectParts(schema: JsonSchema): { properties: [string, JsonSchema][]; required: ReadonlySet<unknown> } {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  return { properties, required: new Set(Array.isArray(schema.required) ? schema.required : []) }
}

function parameter(name: string, schema: JsonSchema, isRequired: boolean): string {
  const type = pythonType(schema)
  if (isRequired) return `${name}: ${type}`
  return `${name}: ${schema.default === undefined ? `${type} | None` : type} = ${pythonLiteral(schema.default ?? null)}`
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
  object: 'dict',
  array: 'list',
}

function pythonType(schema: JsonSchema): string {
  const branches = schema.anyOf ?? schema.oneOf
  if (Array.isArray(branches)) return branches.map(pythonType).join(' | ')
  if (Array.isArray(schema.enum)) return `Literal[${schema.enum.map(pythonLiteral).join(', ')}]`
  if (Array.isArray(schema.type)) return schema.type.map((type) => PLAIN[type] ?? 'object').join(' | ')
  if (schema.type === 'array' && isSchema(schema.items)) return `list[${pythonType(schema.items)}]`
  if (schema.type === 'object' && isSchema(schema.additionalProperties)) {
    return `dict[str, ${pythonType(schema.additionalProperties)}]`
  }
  return PLAIN[String(schema.type)] ?? 'object'
}

function pythonLiteral(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

function docstring(description: string, properties: readonly (readonly [string, JsonSchema])[]): string {
  const notes = properties
    .filter(([, schema]) => typeof schema.description === 'string')
    .map(([name, schema]) => `    ${name}: ${schema.description}`)
  const text = notes.length === 0 ? description : `${description}\n\nArgs:\n${notes.join('\n')}\n`
  return `"""${text.replaceAll('"""', "'''")}"""`
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '    ')
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
