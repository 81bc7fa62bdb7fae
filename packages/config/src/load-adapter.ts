import { CodeActError } from '@codeact/spec'
import { installCommand } from './install-command.ts'
import type { Adapter } from './registry.ts'
import { resolvePackage } from './resolve-package.ts'

/** A function that makes a model, a parser or an executor. */
export type Factory = (...options: readonly unknown[]) => unknown

/**
 * The adapter's function, out of its package.
 *
 * @throws CodeActError `PACKAGE_MISSING` with the command that installs it; `PACKAGE_BROKEN` when it is there and does not work
 */
export async function loadAdapter(name: string, adapter: Adapter, folder: string): Promise<Factory> {
  const factory = (await loadModule(name, adapter, folder))[adapter.export]
  return factory as Factory
}

/**
 * The adapter's package, with the adapter's function in it.
 *
 * @throws as `loadAdapter`
 */
export async function loadModule(
  name: string,
  adapter: Adapter,
  folder: string,
): Promise<Readonly<Record<string, unknown>>> {
  const url = resolvePackage(adapter.package, folder)
  if (url === undefined) throw missing(name, adapter, folder)
  const module: Record<string, unknown> = await import(url).catch((error: unknown) => {
    throw broken(adapter, folder, url, error instanceof Error ? error.message : String(error), error)
  })
  if (typeof module[adapter.export] !== 'function') throw broken(adapter, folder, url, `it has no ${adapter.export}()`)
  return module
}

function missing(name: string, adapter: Adapter, folder: string): CodeActError {
  return new CodeActError(
    'PACKAGE_MISSING',
    `"${name}" needs the package ${adapter.package}, which is not installed.`,
    {
      hint: installCommand(adapter.package, folder),
    },
  )
}

function broken(adapter: Adapter, folder: string, url: string, reason: string, cause?: unknown): CodeActError {
  return new CodeActError('PACKAGE_BROKEN', `${adapter.package} (${url}) does not load: ${reason}`, {
    hint: `Install it again: ${installCommand(adapter.package, folder)}`,
    cause,
  })
}
