import type { Tool } from '@codeact/spec'

const ANYTHING = { jsonSchema: {}, validate: (value: unknown) => ({ ok: true as const, value }) }

/** A tool that takes one argument. */
export function tool(name: string, execute: (n: number) => unknown): Tool {
  const jsonSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const
  return {
    name,
    description: name,
    parameters: { ...ANYTHING, jsonSchema },
    execute: (input) => execute((input as { n: number }).n),
  }
}
