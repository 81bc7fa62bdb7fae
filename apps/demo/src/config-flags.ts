import type { ConfigFlags, LoadedConfig } from '@codeact/config'
import type { Flags } from './command-line.ts'

/** The flags that the config knows, as it names them. */
export function configFlags({ model, executor, parser, 'base-url': baseURL }: Flags): ConfigFlags {
  return { model, executor, parser, baseURL }
}

/** What a run may take: the config's limits, with what the flags say in their place. */
export function limitsOf({ limits }: LoadedConfig, { 'max-steps': steps }: Flags): LoadedConfig['limits'] {
  return steps === undefined ? limits : { ...limits, steps }
}
