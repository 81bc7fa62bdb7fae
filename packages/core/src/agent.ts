import { type CodeActEvent, Run, type RunResult, type Tool } from '@codeact/spec'
import { type AsToolOptions, asTool } from './agents/as-tool.ts'
import { eitherSignal } from './loop/scope.ts'
import { openContext } from './open-context.ts'
import type { AgentOptions } from './options.ts'
import { runTask } from './run.ts'
import { Session } from './session.ts'
import { type SchemaSource, schemaFrom, type TypeOf } from './tools/schema-from.ts'

export interface RunOptions {
  readonly signal?: AbortSignal
  /** The span in another run's stream that this run is part of, where its events go into that stream. */
  readonly parent?: string
}

/**
 * A model, a parser and an executor that work on tasks together. It holds no state: sessions do. With an `answer` schema,
 * its runs give a `value` of that type.
 */
export class Agent<const AnswerSchema extends SchemaSource = SchemaSource> {
  readonly #options: AgentOptions<AnswerSchema>

  /** Throws `OPTION_INVALID` where the options make no sense, and `PRICE_UNKNOWN` where a cost cannot be counted. */
  constructor(options: AgentOptions<AnswerSchema>) {
    this.#options = options
    // What is wrong with them shows here, and not in the first run.
    openContext(options)
  }

  /** Works on one task, in a sandbox of its own that is gone afterwards. */
  run(task: string, { signal, parent }: RunOptions = {}): Run<CodeActEvent, RunResult<TypeOf<AnswerSchema>>> {
    return new Run(async (emit, aborted) => {
      const context = openContext(this.#options)
      try {
        const result = await runTask(context, { task, emit, parent, signal: eitherSignal(aborted, signal) })
        return result as RunResult<TypeOf<AnswerSchema>>
      } finally {
        await context.sandbox.close()
      }
    })
  }

  /** Starts a conversation. Its sandbox opens when the first code comes. */
  async session(): Promise<Session<TypeOf<AnswerSchema>>> {
    return new Session(openContext(this.#options))
  }

  /**
   * This agent as a function that the code of another one can call with a task, and that gives its answer. Each call is a run
   * of its own, whose events are nested in the caller's. The clock of the calling cell stands still meanwhile.
   */
  asTool(options: AsToolOptions): Tool {
    const { answer } = this.#options
    const schema = answer === undefined ? undefined : schemaFrom(answer, 'The option answer')
    return asTool((task, nest) => this.run(task, nest), options, schema)
  }
}
