import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findInstallation, snapshotSources } from '../src/installation.ts'
import { startPython } from '../src/start-python.ts'

const LIMITS = { maxHeapBytes: 2 ** 29, maxFileBytes: 2 ** 29, env: {} }

it('takes no Pyodide whose text it does not know', async () => {
  const installation = findInstallation()
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pyodide-')))
  await cp(installation.pyodide, folder, { recursive: true })
  const runtime = join(folder, 'pyodide.asm.mjs')
  await writeFile(runtime, `${await readFile(runtime, 'utf8')};import('node:fs')`)
  const cache = process.env.CODEACT_CACHE_DIR
  process.env.CODEACT_CACHE_DIR = join(folder, 'package.json') // Not a folder, so that there is no snapshot.
  try {
    await expect(startPython({ ...installation, pyodide: folder }, LIMITS, undefined)).rejects.toMatchObject({
      code: 'EXECUTOR_UNAVAILABLE',
      message: expect.stringContaining('this Pyodide is not the one that is known: import( is there'),
    })
  } finally {
    if (cache === undefined) delete process.env.CODEACT_CACHE_DIR
    else process.env.CODEACT_CACHE_DIR = cache
    await rm(folder, { recursive: true })
  }
})

it('takes no snapshot of another V8, where the places of functions are others', () => {
  expect(snapshotSources(findInstallation())).toContain(process.versions.v8)
})
