import type { ConfigFlags } from '@codeact/config'
import type { Flags } from './command-line.ts'

/** The flags that the config knows, as it names them. */
export function configFlags({ model, executor, parser, 'base-url': baseURL }: Flags): ConfigFlags {
  return { model, executor, parser, baseURL }
}
