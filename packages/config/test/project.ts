import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CodeActError } from '@codeact/spec'

export interface Project extends AsyncDisposable {
  readonly folder: string
}

/** A folder of somebody's own, with these files in it. */
export async function project(files: Readonly<Record<string, string | object>> = {}): Promise<Project> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'codeact-config-')))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** The files of an installed package with one module. */
export function installed(
  name: string,
  code: string,
  exports: unknown = { default: './index.js' },
): Record<string, string | object> {
  return {
    [`node_modules/${name}/package.json`]: { name, version: '9.9.9', type: 'module', exports: { '.': exports } },
    [`node_modules/${name}/index.js`]: code,
  }
}

/** What a call fails with. */
export async function failure(call: () => unknown): Promise<CodeActError> {
  try {
    await call()
  } catch (error) {
    if (CodeActError.is(error)) return error
    throw error
  }
  throw new Error('It did not fail.')
}
