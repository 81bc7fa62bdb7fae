import type { z } from 'zod'
import { type Issue, unknownOption } from './config-error.ts'

type Path = readonly PropertyKey[]

/** What is wrong with the value, each thing with its path under `root`. Empty when nothing is. */
export function issuesOf(schema: z.ZodType, value: unknown, root: string): Issue[] {
  const { error } = schema.safeParse(value)
  return (error?.issues ?? []).flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const known = issue.message.split(' ')
      return issue.keys.map((key) => ({ path: pathText(root, [...issue.path, key]), text: unknownOption(key, known) }))
    }
    return [{ path: pathText(root, issue.path), text: expected(issue.message, at(value, issue.path), issue.path) }]
  })
}

export function expected(what: string, got: unknown, path: Path = []): string {
  return `expected ${what}, got ${describe(got, path.some(isSecret))}`
}

function pathText(root: string, path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    const name = String(key)
    if (!/^[\w-]+$/.test(name)) return `${text}[${JSON.stringify(name)}]`
    return text === '' ? name : `${text}.${name}`
  }, root)
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown> | undefined)?.[key], value)
}

/** Values that must not be repeated: they may have been mixed up with a secret beside them. */
function isSecret(key: PropertyKey): boolean {
  return ['apiKey', 'headers', 'env', 'baseURL'].includes(String(key))
}

function describe(value: unknown, isHidden: boolean): string {
  if (value === undefined) return 'nothing'
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object') return 'an object'
  if (isHidden) return `a ${typeof value}`
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value)
}
