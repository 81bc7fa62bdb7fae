import type { CodeActEvent, JsonValue } from '@codeact/spec'

type ToolEnd = Extract<CodeActEvent, { type: 'tool-end' }>

/** How many calls of one tool in a row are told one by one. */
const SHOWN = 3
const LONGEST = 60

/** Tool calls, a line each; a long row of calls of the same tool is counted instead. */
export class ToolCalls {
  readonly #inputs = new Map<string, JsonValue>()
  #name = ''
  #count = 0

  start(id: string, input: JsonValue): void {
    this.#inputs.set(id, input)
  }

  /** The call's line; empty when it is one of many. */
  end({ id, name, outcome }: ToolEnd): string {
    const input = this.#inputs.get(id)
    this.#inputs.delete(id)
    this.#count = name === this.#name ? this.#count + 1 : 1
    this.#name = name
    if (this.#count > SHOWN) return ''
    const result = outcome.ok ? `= ${short(outcome.value)}` : `! ${outcome.error.name}: ${outcome.error.message}`
    return `${name}(${argumentsOf(input)}) ${result}`
  }

  /** The row is over: what was not told of it. */
  rest(): string {
    const more = this.#count - SHOWN
    this.#name = ''
    this.#count = 0
    if (more <= 0) return ''
    return more === 1 ? '… and 1 more call' : `… and ${more} more calls`
  }
}

function argumentsOf(input: JsonValue | undefined): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return input === undefined ? '' : short(input)
  return Object.entries(input)
    .map(([name, value]) => `${name}=${short(value)}`)
    .join(', ')
}

function short(value: JsonValue): string {
  const text = isSpelled(value) ? String(value.$[1]) : JSON.stringify(value)
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}

/** What JSON cannot say, such as 8.0 or bytes, is in the log as its kind and its spelling. */
function isSpelled(value: JsonValue): value is { readonly $: readonly [string, JsonValue] } {
  return typeof value === 'object' && value !== null && '$' in value && Array.isArray(value.$) && value.$.length === 2
}
