import { type CodeActEvent, Run, type RunResult, type Tool } from '@codeact/spec'
import { type AsToolOptions, asTool } from './agents/as-tool.ts'
import type { Assignment } from './assignment.ts'
import { Conversation } from './conversation.ts'
import { eitherSignal } from './loop/scope.ts'
import { openContext } from './open-context.ts'
import type { AgentOptions } from './options.ts'
import { type Log, openLog } from './record/log.ts'
import { type Past, readPast } from './record/read-log.ts'
import { Restart, type RestartOptions } from './record/restart.ts'
import { Session, type SessionRunOptions } from './session.ts'
import type { Task } from './task-input.ts'
import { type SchemaSource, schemaFrom, type TypeOf } from './tools/schema-from.ts'
import { Checkpoints } from './undo/checkpoints.ts'
import { undoLimit } from './undo/undo-limit.ts'

export interface RunOptions extends SessionRunOptions {
  /**
   * Where each event goes as it happens: a file, to whose end it is added as a line of JSON, or a function. `agent.resume()`
   * goes on from it, also where the host is lost.
   */
  readonly log?: Log
}

export interface SessionOptions extends RestartOptions {
  /** What it goes on from: what `session.save()` gave; or a log, as a file or as its events. */
  readonly from?: Past
  /** As for a run, with all of the session's runs. */
  readonly log?: Log
  /**
   * How many steps that ran code `session.undo()` can take back; those without, between and behind them, come on top. `true`
   * is 1: the last thing that the model did. The most is 7: a checkpoint is taken before the code of each step, a sandbox keeps
   * eight, and one is for the step to come. What code changes is in memory once more for each of them, so there are none by
   * default.
   */
  readonly undo?: boolean | number
}

export interface ResumeOptions extends RunOptions, RestartOptions {}

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

  /**
   * Works on one task, in a sandbox of its own that is gone afterwards. Fails with `LOG_UNWRITABLE` where its log cannot be
   * written.
   */
  run(task: Task, options: RunOptions = {}): Run<CodeActEvent, RunResult<TypeOf<AnswerSchema>>> {
    return this.#once({ log: options.log }, (conversation) => conversation.newTask(task), options)
  }

  /**
   * Goes on with the last task of a log, or of a saved session, where its run was left at a limit or its host was lost: from the
   * transcript as it was, in a sandbox that is new. Throws `LOG_INVALID` and `SAVED_INVALID`; fails with `NOTHING_TO_RESUME`
   * where the task has its answer, and in a rebuild with `RESTART_FILES_MISSING` and `REBUILD_DIVERGED`.
   */
  resume(from: Past, options: ResumeOptions = {}): Run<CodeActEvent, RunResult<TypeOf<AnswerSchema>>> {
    return this.#once({ ...options, from: readPast(from) }, (conversation) => conversation.lastTask(), options)
  }

  /**
   * Starts a conversation, or goes on with one. Its sandbox opens when the first code comes. Throws as `resume()` does where
   * what it goes on from cannot be read, and `LOG_UNWRITABLE`, `OPTION_INVALID`.
   */
  async session(options: SessionOptions = {}): Promise<Session<TypeOf<AnswerSchema>>> {
    return new Session(this.#open(options))
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

  #open({ from, log, undo, ...how }: SessionOptions): Conversation {
    const restart = from === undefined ? undefined : new Restart(readPast(from), how)
    const limit = undoLimit(undo)
    const context = openContext(this.#options, restart, limit === undefined ? undefined : new Checkpoints(limit))
    return new Conversation(context, log === undefined ? undefined : openLog(log))
  }

  /** A conversation of one run. */
  #once(
    how: SessionOptions,
    assign: (conversation: Conversation) => Assignment,
    { signal, context, parent }: SessionRunOptions,
  ): Run<CodeActEvent, RunResult<TypeOf<AnswerSchema>>> {
    return new Run(async (emit, aborted) => {
      const conversation = this.#open(how)
      try {
        const start = { assignment: assign(conversation), context, parent, emit, signal: eitherSignal(aborted, signal) }
        return (await conversation.work(start)) as RunResult<TypeOf<AnswerSchema>>
      } finally {
        await conversation.close()
      }
    })
  }
}
