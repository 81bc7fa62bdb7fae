import type { JsonSchema, Schema, Tool, ToolContext } from '@codeact/spec'

/** A tool from bare schemas: what these suites need is the executor's part, not the checking of types. */
export function bareTool(
  name: string,
  properties: Readonly<Record<string, JsonSchema>>,
  execute: (input: Record<string, unknown>, context: ToolContext) => unknown,
  more: { readonly required?: readonly string[]; readonly returns?: JsonSchema; readonly pausesClock?: boolean } = {},
): Tool {
  const { required = Object.keys(properties), returns, pausesClock = false } = more
  return {
    name,
    description: `The tool ${name}.`,
    parameters: bareSchema({ type: 'object', properties, required, additionalProperties: false }),
    ...(returns === undefined ? {} : { returns: bareSchema(returns) }),
    pausesClock,
    execute: (input, context) => execute(input as Record<string, unknown>, context),
  }
}

/** Refuses an object that lacks a required property, and takes anything else. */
function bareSchema(jsonSchema: JsonSchema): Schema {
  const required = (jsonSchema.required ?? []) as readonly string[]
  return {
    jsonSchema,
    validate(value) {
      const missing = required.filter((name) => !Object.hasOwn(Object(value), name))
      return missing.length === 0
        ? { ok: true, value }
        : { ok: false, issues: missing.map((name) => `is missing ${name}`) }
    },
  }
}

export const INTEGER: JsonSchema = { type: 'integer' }
export const NUMBER: JsonSchema = { type: 'number' }
