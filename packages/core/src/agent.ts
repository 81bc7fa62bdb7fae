import {
  type ActionParser,
  CodeActError,
  type CodeActEvent,
  type Executor,
  type LanguageModel,
  type ParserPicker,
  type PromptContext,
  Run,
  type RunResult,
  type Tool,
} from '@codeact/spec'
import type { LoopContext } from './loop/context.ts'
import { LazySandbox } from './loop/lazy-sandbox.ts'
import { eitherSignal } from './loop/scope.ts'
import { defaultStopRules, type StopRule } from './loop/stop-rules.ts'
import { Transcript } from './loop/transcript.ts'
import { systemPrompt } from './prompt.ts'
import { runTask } from './run.ts'
import { Session } from './session.ts'

export interface AgentOptions {
  readonly model: LanguageModel
  /** Who reads; or a function that picks one for the model, such as `auto()`. */
  readonly parser: ActionParser | ParserPicker
  readonly executor: Executor
  /** Functions that the code may call. */
  readonly tools?: readonly Tool[]
  /** Added to the system prompt. */
  readonly instructions?: string
  /** The most turns that one task may take. Default 20. */
  readonly maxSteps?: number
  /**
   * What ends a run with an answer; the first rule that finds one wins. Default: an answer tag, a line that begins with
   * `DONE`, a reply without code; where every reply is code, what it printed.
   */
  readonly stopRules?: readonly StopRule[]
  /** Handed to tools as `context.context`. */
  readonly context?: unknown
}

export interface RunOptions {
  readonly signal?: AbortSignal
}

const DEFAULT_MAX_STEPS = 20

/** A model, a parser and an executor that work on tasks together. It holds no state: sessions do. */
export class Agent {
  readonly #options: AgentOptions

  /** Throws `OPTION_INVALID` where the options make no sense. */
  constructor(options: AgentOptions) {
    const { maxSteps = DEFAULT_MAX_STEPS } = options
    if (!Number.isInteger(maxSteps) || maxSteps < 1) {
      throw new CodeActError('OPTION_INVALID', `maxSteps must be a whole number of at least 1, not ${maxSteps}.`)
    }
    this.#options = options
  }

  /** Works on one task, in a sandbox of its own that is gone afterwards. */
  run(task: string, { signal: given }: RunOptions = {}): Run<CodeActEvent, RunResult> {
    return new Run(async (emit, aborted) => {
      const signal = eitherSignal(aborted, given)
      const context = this.#context()
      try {
        return await runTask(context, task, emit, signal)
      } finally {
        await context.sandbox.close()
      }
    })
  }

  /** Starts a conversation. Its sandbox opens when the first code comes. */
  async session(): Promise<Session> {
    return new Session(this.#context())
  }

  #context(): LoopContext {
    const { model, executor, tools = [], instructions } = this.#options
    const prompt: PromptContext = { languages: executor.languages, tools, model: model.id }
    const parser = typeof this.#options.parser === 'function' ? this.#options.parser(prompt) : this.#options.parser
    const { maxSteps = DEFAULT_MAX_STEPS, stopRules = defaultStopRules(parser), context } = this.#options
    const transcript = new Transcript()
    transcript.push({ role: 'system', content: systemPrompt(parser, prompt, instructions) })
    const sandbox = new LazySandbox(executor, tools)
    return { model, parser, sandbox, transcript, prompt, stopRules, maxSteps, context }
  }
}
