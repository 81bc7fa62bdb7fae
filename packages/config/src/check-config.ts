import type { Tool } from '@codeact/spec'
import { z } from 'zod'
import { issuesOf } from './check.ts'
import { isPart, readChoice } from './choice.ts'
import type { Config, LoadedConfig } from './config.ts'
import { configInvalid, type Origin } from './config-error.ts'
import type { Choices, Parts, Role } from './registry.ts'
import { prices, runLimits } from './run-limits.ts'
import { object, text } from './schema.ts'

const tool = z.custom<Tool>(isTool, { error: 'a tool that tool() made' })

const schema = object({
  model: z.unknown().optional(),
  parser: z.unknown().optional(),
  executor: z.unknown().optional(),
  tools: z.array(tool, { error: 'a list of tools' }).optional(),
  instructions: text().optional(),
  limits: runLimits.optional(),
  prices: prices.optional(),
})

/** What a config says, checked and with absolute paths; nothing is filled in yet. */
export type CheckedConfig = Omit<LoadedConfig, 'file' | 'folder' | keyof Parts> &
  Partial<Pick<LoadedConfig, keyof Parts>>

/** @throws CodeActError `CONFIG_INVALID` with the path of each thing that is wrong; `ADAPTER_UNKNOWN` */
export function checkConfig(value: unknown, origin: Origin): CheckedConfig {
  const issues = issuesOf(schema, value, '')
  if (issues.length > 0) throw configInvalid(origin, issues)
  const config = value as Config
  return {
    ...config,
    model: checkRole('model', config.model, origin),
    parser: checkRole('parser', config.parser, origin),
    executor: checkRole('executor', config.executor, origin),
  }
}

function checkRole<R extends Role>(role: R, value: unknown, origin: Origin): Parts[R] | Choices[R] | undefined {
  return value === undefined || isPart(role, value) ? value : readChoice(role, value, origin, role)
}

function isTool(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { name, execute, parameters } = value as Partial<Tool>
  return typeof name === 'string' && typeof execute === 'function' && typeof parameters === 'object'
}
