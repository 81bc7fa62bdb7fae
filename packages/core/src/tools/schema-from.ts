import type { JsonSchema } from '@codeact/spec'
import { CodeActError, type Schema } from '@codeact/spec'
import type { FromJsonSchema } from './from-json-schema.ts'
import { fromJsonSchema } from './json-schema.ts'
import { fromStandardSchema, isStandardSchema, type StandardSchema } from './standard-schema.ts'

/** A Standard Schema (zod, valibot, arktype, …) or a JSON Schema document. */
export type SchemaSource = StandardSchema | JsonSchema

/** The type that a schema describes. */
export type TypeOf<S> = S extends StandardSchema<infer T> ? T : FromJsonSchema<S>

/** Throws `code` where the schema cannot be shown as JSON Schema. `what` begins the message: `The option answer`. */
export function schemaFrom(source: SchemaSource, what: string, code = 'OPTION_INVALID'): Schema {
  const schema = isStandardSchema(source) ? fromStandardSchema(source) : fromJsonSchema(source)
  if (schema !== undefined) return schema
  throw new CodeActError(code, `${what}: its schema library cannot give JSON Schema.`, {
    hint: 'Upgrade it, or give a JSON Schema.',
  })
}
