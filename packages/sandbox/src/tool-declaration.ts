import type { JsonSchema, JsonValue, Tool } from '@codeact/spec'
import { parameterNames } from './tool-arguments.ts'

/** What a kernel needs to know of a tool to offer it as a function: never its source, nor anything it closes over. */
export function toolDeclaration(tool: Tool): JsonValue {
  const schema = tool.parameters.jsonSchema
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  return {
    name: tool.name,
    description: tool.description,
    parameters: parameterNames(schema).map((name) => ({
      name,
      required: required.has(name),
      ...defaultOf(schema, name),
    })),
  }
}

function defaultOf(schema: JsonSchema, name: string): { default?: JsonValue } {
  const property = (schema.properties as Record<string, JsonSchema> | undefined)?.[name]
  return property?.default === undefined ? {} : { default: property.default as JsonValue }
}
