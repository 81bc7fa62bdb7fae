import { Agent, type AgentOptions } from '@codeact/core'
import { completeConfig } from './complete-config.ts'
import type { Config, LoadedConfig } from './config.ts'
import { resolveExecutor } from './resolve-executor.ts'
import { resolveModel } from './resolve-model.ts'
import { resolveParser } from './resolve-parser.ts'

/**
 * A ready agent: names and options in, objects out.
 *
 * @param config what `loadConfig()` gave, or a config of the program's own, checked here
 * @param options over the config's: what only code can say (stop rules, a context for tools), or a part that is at hand
 * @throws CodeActError `MODEL_MISSING`, `PACKAGE_MISSING`, `CONFIG_INVALID`, `ADAPTER_UNKNOWN`; what an adapter throws
 */
export async function createAgent(config: Config | LoadedConfig, options: Partial<AgentOptions> = {}): Promise<Agent> {
  const loaded = completeConfig(config)
  const { tools, instructions, limits, prices } = loaded
  const model = options.model ?? (await resolveModel(loaded))
  const parser = options.parser ?? (await resolveParser(loaded))
  const executor = options.executor ?? (await resolveExecutor(loaded))
  return new Agent({ tools, instructions, limits, prices, ...options, model, parser, executor })
}
