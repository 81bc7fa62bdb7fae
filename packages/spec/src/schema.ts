import type { JsonSchema } from './json.ts'

/** A type that can be shown (as JSON Schema) and checked. `tool()` makes one from a Standard Schema or a JSON Schema. */
export interface Schema<T = unknown> {
  readonly jsonSchema: JsonSchema
  /** Checks a value and gives it in the schema's type, defaults filled in; never throws for a bad value. */
  validate(value: unknown): Validation<T> | Promise<Validation<T>>
}

export type Validation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly string[] }
