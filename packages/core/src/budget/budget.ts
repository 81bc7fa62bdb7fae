import type { LimitReached, ToolCall, ToolOutcome, Usage } from '@codeact/spec'
import { addUsage, NO_USAGE } from '../usage.ts'
import type { CheckedLimits } from './limits.ts'
import { costOf } from './prices.ts'

/** What one run has taken, beside what it may take. */
export class Budget {
  readonly #limits: CheckedLimits
  #usage: Usage = NO_USAGE
  #cost = 0
  #steps = 0
  #calls = 0

  constructor(limits: CheckedLimits) {
    this.#limits = limits
  }

  get usage(): Usage {
    return this.#usage
  }

  /** A model call was made. */
  spend(model: string, usage: Usage): void {
    this.#usage = addUsage(this.#usage, usage)
    const price = this.#limits.prices[model]
    if (price !== undefined) this.#cost += costOf(usage, price)
  }

  /** A step's reply came: the step counts, whatever becomes of its code. */
  endStep(model: string, usage: Usage): void {
    this.#steps += 1
    this.spend(model, usage)
  }

  /** A tool call from code: it runs, or fails in the code where it is one too many. */
  async call(call: ToolCall): Promise<ToolOutcome> {
    if (call.tool.name === 'final_answer') return call.invoke()
    this.#calls += 1
    const { toolCalls } = this.#limits
    if (this.#calls <= toolCalls) return call.invoke()
    const message = `${call.tool.name} was not called: no more than ${toolCalls} tool calls are allowed in this run`
    return { ok: false, error: { name: 'ToolCallLimit', message } }
  }

  /** The first limit that leaves no room for another step. */
  get reached(): LimitReached | undefined {
    const { steps, cost, toolCalls } = this.#limits
    if (this.#steps >= steps) return { name: 'steps', allowed: steps, used: this.#steps }
    if (this.#calls > toolCalls) return { name: 'toolCalls', allowed: toolCalls, used: this.#calls }
    if (this.#cost >= cost) return { name: 'cost', allowed: cost, used: this.#cost }
    return this.#tokensReached()
  }

  #tokensReached(): LimitReached | undefined {
    const { inputTokens: input, outputTokens: output, cachedInputTokens: cached = 0 } = this.#usage
    const used = { total: input + output, input, output, cached }
    for (const name of ['total', 'input', 'output', 'cached'] as const) {
      const allowed = this.#limits.tokens[name] ?? Infinity
      const shown = name === 'total' ? 'tokens' : `tokens.${name}`
      if (used[name] >= allowed) return { name: shown, allowed, used: used[name] }
    }
    return undefined
  }
}
