/** Any value that JSON can spell. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** A JSON Schema document (draft 2020-12 vocabulary). Kept open: only the keywords that a reader knows are read. */
export type JsonSchema = { readonly [keyword: string]: unknown }
