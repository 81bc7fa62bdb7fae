import { isPart } from './choice.ts'
import { loadAdapter } from './load-adapter.ts'
import { type Adapter, type Choices, type Parts, type Role, registry } from './registry.ts'

/** What a choice stands for: itself when it is the real thing, else made by its adapter. */
export async function resolveChoice<R extends Role>(
  role: R,
  choice: Parts[R] | Choices[R],
  folder: string,
): Promise<Parts[R]> {
  if (isPart(role, choice)) return choice
  const { name, ...options } = choice as Choices[R]
  const adapter = registry[role][name] as Adapter
  const factory = await loadAdapter(name, adapter, folder)
  return factory(...argumentsOf(adapter, options)) as Parts[R]
}

/** What the short form carries behind the colon comes first: `openai(model, options)`, `replay(file)`. */
function argumentsOf({ main }: Adapter, options: Readonly<Record<string, unknown>>): unknown[] {
  if (main === undefined) return [options]
  const { [main]: first, ...rest } = options
  return Object.keys(rest).length === 0 ? [first] : [first, rest]
}
