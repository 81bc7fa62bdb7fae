import type { Limits, Prices } from '@codeact/core'
import type { ActionParser, Executor, LanguageModel, ParserPicker, Tool } from '@codeact/spec'
import type { ExecutorChoice, ExecutorName, ModelChoice, ModelName, ParserChoice, ParserName } from './registry.ts'

/** What a config file holds. Each part is a name, a name with its options, or, where the file is code, the object itself. */
export interface Config {
  /** Who speaks. No default: `openai:gpt-5`, `replay:session.jsonl`, … */
  readonly model?: ModelName | ModelChoice | LanguageModel
  /** Who reads. Default `xml`. */
  readonly parser?: ParserName | ParserChoice | ActionParser | ParserPicker
  /** Who runs code. Default `wasm`. */
  readonly executor?: ExecutorName | ExecutorChoice | Executor
  /** Functions that the code may call. */
  readonly tools?: readonly Tool[]
  /** Added to the system prompt. */
  readonly instructions?: string
  /** What a run may take. */
  readonly limits?: Limits
  /** What models cost, by model id, for `limits.cost`. */
  readonly prices?: Prices
}

/** A config that was checked, with the environment, the flags and the defaults in it. Paths in it are absolute. */
export interface LoadedConfig {
  /** The file it was read from, if there was one. */
  readonly file?: string
  /** Where packages that it names are looked for: the file's folder, else the working directory. */
  readonly folder: string
  readonly model?: ModelChoice | LanguageModel
  readonly parser: ParserChoice | ActionParser | ParserPicker
  readonly executor: ExecutorChoice | Executor
  readonly tools?: readonly Tool[]
  readonly instructions?: string
  readonly limits?: Limits
  readonly prices?: Prices
}

/** The config as it is; in a file, it brings the types. */
export function defineConfig(config: Config): Config {
  return config
}
