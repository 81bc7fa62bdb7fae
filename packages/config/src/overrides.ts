import type { CheckedConfig } from './check-config.ts'
import { isPart, readChoice } from './choice.ts'
import { configInvalid, type Origin } from './config-error.ts'
import { type Choices, type ModelChoice, type Parts, type Role, registry } from './registry.ts'
import { sandboxOptions } from './sandbox-options.ts'

/** What a command line may say. Each wins over the variable of the same name, and that over the file. */
export interface ConfigFlags {
  /** `openai:gpt-5`; else `CODEACT_MODEL`. */
  readonly model?: string
  /** Else `CODEACT_PARSER`. */
  readonly parser?: string
  /** Else `CODEACT_EXECUTOR`. */
  readonly executor?: string
  /** The model's server; else `CODEACT_BASE_URL`, which is passed over where the model has none. */
  readonly baseURL?: string
}

type Environment = Readonly<Record<string, string | undefined>>

const NAMES: Readonly<Record<keyof ConfigFlags, { readonly flag: string; readonly variable: string }>> = {
  model: { flag: '--model', variable: 'CODEACT_MODEL' },
  parser: { flag: '--parser', variable: 'CODEACT_PARSER' },
  executor: { flag: '--executor', variable: 'CODEACT_EXECUTOR' },
  baseURL: { flag: '--base-url', variable: 'CODEACT_BASE_URL' },
}

/**
 * The config with what flags and environment say in its place. A name that the config has already keeps its options. Another
 * executor keeps those that mean the same in every executor: the limits of a program do not go with its sandbox.
 */
export function override(config: CheckedConfig, flags: ConfigFlags, env: Environment, cwd: string): CheckedConfig {
  const said = (key: keyof ConfigFlags) => saidOf(key, flags, env, cwd)
  const chosen = {
    ...config,
    model: chooseOver('model', config.model, said('model')),
    parser: chooseOver('parser', config.parser, said('parser')),
    executor: chooseOver('executor', config.executor, said('executor')),
  }
  return { ...chosen, model: withServer(chosen.model, said('baseURL')) }
}

interface Said {
  readonly value: string
  readonly origin: Origin
  readonly isFlag: boolean
}

function saidOf(key: keyof ConfigFlags, flags: ConfigFlags, env: Environment, folder: string): Said | undefined {
  const { flag, variable } = NAMES[key]
  if (flags[key]) return { value: flags[key], origin: { name: flag, fix: `Correct ${flag}.`, folder }, isFlag: true }
  const value = env[variable]
  if (!value) return undefined
  return { value, origin: { name: variable, fix: `Correct ${variable}, or unset it.`, folder }, isFlag: false }
}

function chooseOver<R extends Role>(
  role: R,
  current: Parts[R] | Choices[R] | undefined,
  said: Said | undefined,
): Parts[R] | Choices[R] | undefined {
  if (said === undefined) return current
  const choice = readChoice(role, said.value, said.origin, '')
  if (isPart(role, current)) return goesBy(current, said.value) ? current : choice
  return { ...kept(role, current, choice.name), ...choice }
}

/** Of what was chosen before, the options that go on under the new name. */
function kept<R extends Role>(role: R, current: Choices[R] | undefined, name: string): Partial<Choices[R]> {
  if (current === undefined) return {}
  if (current.name === name) return current
  return role === 'executor' ? shared(current) : {}
}

function goesBy(part: object, name: string): boolean {
  return Reflect.get(part, 'name') === name || Reflect.get(part, 'id') === name
}

function shared<C extends object>(choice: C): Partial<C> {
  const options = Object.entries(choice).filter(([option]) => Object.hasOwn(sandboxOptions, option))
  return Object.fromEntries(options) as Partial<C>
}

function withServer(model: CheckedConfig['model'], said: Said | undefined): CheckedConfig['model'] {
  if (model === undefined || said === undefined) return model
  if (hasServer(model)) return { ...model, baseURL: said.value }
  if (!said.isFlag) return model
  throw configInvalid(said.origin, [{ path: '', text: 'the model that was chosen has no base URL to set' }])
}

function hasServer(model: NonNullable<CheckedConfig['model']>): model is Exclude<ModelChoice, { name: 'replay' }> {
  if (isPart('model', model)) return false
  return Object.hasOwn(registry.model[model.name]?.options.shape ?? {}, 'baseURL')
}
