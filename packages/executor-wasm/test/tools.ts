import type { JsonSchema, Schema, Tool } from '@codeact/spec'

const ANYTHING = (jsonSchema: JsonSchema): Schema => ({ jsonSchema, validate: (value) => ({ ok: true, value }) })

/** A tool that gives back the milliseconds it was given, that much later. */
export function slowTool(): Tool {
  return {
    name: 'slow',
    description: 'Waits.',
    parameters: ANYTHING({ type: 'object', properties: { ms: { type: 'integer' } }, required: ['ms'] }),
    execute: (input) => {
      const { ms } = input as { ms: number }
      return new Promise((resolve) => setTimeout(resolve, ms, ms).unref())
    },
  }
}
