import { resolve } from 'node:path'
import { expected, issuesOf } from './check.ts'
import { adapterUnknown, configInvalid, type Origin } from './config-error.ts'
import { type Adapter, type Choices, type Parts, type Role, registry } from './registry.ts'

interface Named {
  readonly name: string
  readonly [option: string]: unknown
}

/** The method by which an object that was given in place of a name is known; a parser may be picked by a function, too. */
const METHOD: Readonly<Record<Role, string>> = { model: 'stream', parser: 'start', executor: 'open' }

const FORMS: Readonly<Record<Role, string>> = {
  model: 'a name such as "openai:gpt-5", { name, …options }, or a LanguageModel',
  parser: 'a name such as "xml", { name, …options }, an ActionParser, or a function that picks one',
  executor: 'a name such as "wasm", { name, …options }, or an Executor',
}

const TITLE: Readonly<Record<Role, string>> = { model: 'model provider', parser: 'parser', executor: 'executor' }

/** True for the real thing, which needs no name. */
export function isPart<R extends Role>(role: R, value: unknown): value is Parts[R] {
  if (role === 'parser' && typeof value === 'function') return true
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, METHOD[role]) === 'function'
}

/**
 * Reads a name, short or with options.
 *
 * @param path where the value stands in its origin; empty when it is the whole of it
 * @throws CodeActError `ADAPTER_UNKNOWN`, `CONFIG_INVALID`
 */
export function readChoice<R extends Role>(role: R, value: unknown, origin: Origin, path: string): Choices[R] {
  const choice = typeof value === 'string' ? expand(role, value, origin, path) : value
  if (!isNamed(choice)) throw configInvalid(origin, [{ path, text: expected(FORMS[role], value) }])
  const { options } = adapterOf(role, choice.name, origin, path)
  const issues = issuesOf(options, choice, path)
  if (issues.length > 0) throw configInvalid(origin, issues)
  return withAbsolutePaths(choice, origin.folder) as unknown as Choices[R] // that is what the schema says
}

/** `openai:llama3:8b` as `{ name: 'openai', model: 'llama3:8b' }`. */
function expand(role: Role, text: string, origin: Origin, path: string): Named {
  const colon = text.indexOf(':')
  const name = colon === -1 ? text : text.slice(0, colon)
  const { main, detail } = adapterOf(role, name, origin, path)
  const option = main ?? detail
  const rest = text.slice(name.length + 1)
  if (colon === -1 && main === undefined) return { name }
  return option === undefined || rest === '' ? unfit(role, text, origin, path) : { name, [option]: rest }
}

function unfit(role: Role, text: string, origin: Origin, path: string): never {
  throw configInvalid(origin, [{ path, text: expected(FORMS[role], text) }])
}

function adapterOf(role: Role, name: string, origin: Origin, path: string): Adapter {
  const adapters = registry[role]
  const adapter = Object.hasOwn(adapters, name) ? adapters[name] : undefined
  if (adapter) return adapter
  const forms = Object.entries(adapters).map(([known, { main, detail }]) => [known, formOf(known, main, detail)])
  const text = `there is no ${TITLE[role]} ${JSON.stringify(name)}`
  throw adapterUnknown(origin, { path, text }, name, Object.fromEntries(forms))
}

function formOf(name: string, main: string | undefined, detail: string | undefined): string {
  if (main !== undefined) return `${name}:${main.toUpperCase()}`
  return detail === undefined ? name : `${name}, ${name}:${detail.toUpperCase()}`
}

function isNamed(value: unknown): value is Named {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
}

/** A path counts from where it was written, not from where the program runs. */
function withAbsolutePaths(choice: Named, folder: string): Named {
  const { file, python, mounts, workspace } = choice
  return {
    ...choice,
    ...(typeof file === 'string' ? { file: resolve(folder, file) } : {}),
    ...(typeof python === 'string' && /[\\/]/.test(python) ? { python: resolve(folder, python) } : {}),
    ...(typeof mounts === 'object' && mounts !== null ? { mounts: absoluteMounts(mounts, folder) } : {}),
    ...(isFolder(workspace) ? { workspace: { ...workspace, mount: resolve(folder, workspace.mount) } } : {}),
  }
}

function isFolder(workspace: unknown): workspace is { mount: string } {
  return typeof workspace === 'object' && workspace !== null
}

function absoluteMounts(mounts: object, folder: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(mounts).map(([inside, mount]: [string, string | { source: string }]) => [
      inside,
      typeof mount === 'string' ? resolve(folder, mount) : { ...mount, source: resolve(folder, mount.source) },
    ]),
  )
}
