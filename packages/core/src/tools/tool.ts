import { CodeActError, type JsonSchema, type Schema, type Tool, type ToolContext } from '@codeact/spec'
import { type SchemaSource, schemaFrom, type TypeOf } from './schema-from.ts'

export interface ToolDefinition<P extends SchemaSource, R extends SchemaSource> {
  readonly name: string
  readonly description: string
  /** An object: its properties are the function's arguments, in that order, required ones first. */
  readonly parameters: P
  /** How the result is typed in the sandbox; without it, an integral number arrives as an int. */
  readonly returns?: R
  readonly pausesClock?: boolean
  execute(input: TypeOf<P>, context: ToolContext): TypeOf<R> | Promise<TypeOf<R>>
}

/**
 * A TypeScript function for code to call. Throws `TOOL_INVALID` where a schema cannot be shown as JSON Schema, rather than
 * when the model first calls it.
 */
export function tool<const P extends SchemaSource, const R extends SchemaSource = JsonSchema>(
  definition: ToolDefinition<P, R>,
): Tool {
  const { name, description, pausesClock = false } = definition
  const parameters = schemaOf(name, 'parameters', definition.parameters)
  if (parameters.jsonSchema.type !== 'object') {
    throw invalid(name, 'parameters must be an object schema: its properties are the arguments')
  }
  const returns = definition.returns === undefined ? {} : { returns: schemaOf(name, 'returns', definition.returns) }
  const execute = (input: unknown, context: ToolContext): unknown => definition.execute(input as TypeOf<P>, context)
  return { name, description, parameters, ...returns, pausesClock, execute }
}

function schemaOf(name: string, field: string, source: SchemaSource): Schema {
  return schemaFrom(source, `The tool ${name}: ${field}`, 'TOOL_INVALID')
}

function invalid(name: string, what: string): CodeActError {
  return new CodeActError('TOOL_INVALID', `The tool ${name}: ${what}.`)
}
