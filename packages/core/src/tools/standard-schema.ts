import type { JsonSchema, Schema, Validation } from '@codeact/spec'

/**
 * The part of Standard Schema that is used here (standardschema.dev): validation, and the types it carries. Zod, Valibot,
 * ArkType and others implement it.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** Standard JSON Schema: the same type, as a document. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => Record<string, unknown> }
  }
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

export function isStandardSchema(source: unknown): source is StandardSchema {
  return (typeof source === 'object' || typeof source === 'function') && source !== null && '~standard' in source
}

/** A Standard Schema as a `Schema`; undefined where it cannot say what it is as JSON Schema. */
export function fromStandardSchema<T>(source: StandardSchema<T>): Schema<T> | undefined {
  const { jsonSchema, validate } = source['~standard']
  if (jsonSchema === undefined) return undefined
  return {
    jsonSchema: jsonSchema.input({ target: 'draft-2020-12' }) as JsonSchema,
    validate: async (value) => toValidation(await validate(value)),
  }
}

function toValidation<T>(result: StandardResult<T>): Validation<T> {
  if (result.issues === undefined) return { ok: true, value: result.value }
  return { ok: false, issues: result.issues.map(describe) }
}

function describe({ message, path = [] }: StandardIssue): string {
  const where = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
  return where === '' ? message : `${where}: ${message}`
}
