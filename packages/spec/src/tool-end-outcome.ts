import type { JsonValue } from './json.ts'

/** What came of a tool call, as events tell it: the value as it went to the code. */
export type ToolEndOutcome =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly error: { readonly name: string; readonly message: string } }
