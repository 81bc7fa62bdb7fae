import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder of the test file's own, gone after its tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'codeact-demo-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
