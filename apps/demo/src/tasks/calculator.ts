import { tool } from '@codeact/core'
import type { Tool } from '@codeact/spec'

const integer = { type: 'integer' } as const
const pair = { type: 'object', properties: { a: integer, b: integer }, required: ['a', 'b'] } as const

/** Four functions that run here, on the host, and are called by the code in the sandbox. */
export const calculator: readonly Tool[] = [
  tool({
    name: 'add',
    description: 'The sum of two integers.',
    parameters: pair,
    returns: integer,
    execute: ({ a, b }) => a + b,
  }),
  tool({
    name: 'subtract',
    description: 'What is left of one integer when another one is taken away.',
    parameters: pair,
    returns: integer,
    execute: ({ a, b }) => a - b,
  }),
  tool({
    name: 'multiply',
    description: 'The product of two integers.',
    parameters: pair,
    returns: integer,
    execute: ({ a, b }) => a * b,
  }),
  tool({
    name: 'divide',
    description: 'The quotient of two integers, as a float.',
    parameters: pair,
    returns: { type: 'number' },
    execute: ({ a, b }) => quotient(a, b),
  }),
]

function quotient(a: number, b: number): number {
  if (b === 0) throw new RangeError('division by zero')
  return a / b
}
