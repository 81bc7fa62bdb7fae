import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Connection } from './settings.ts'

/** Sandboxes of this process that E2B bills, by id. */
const open = new Map<string, Connection>()

const KILL = `
const { sdk, sandboxes } = JSON.parse(process.env.CODEACT_E2B_KILL)
const { Sandbox } = require(sdk)
for (const [id, connection] of sandboxes) Sandbox.kill(id, connection).catch(() => {})`

/** Sees to it that the sandbox ends with this process, should it end by `process.exit()` or of itself. */
export function killAtExit(sandboxId: string, connection: Connection): void {
  if (open.size === 0) process.on('exit', killAll)
  open.set(sandboxId, connection)
}

export function forgetAtExit(sandboxId: string): void {
  if (open.delete(sandboxId) && open.size === 0) process.off('exit', killAll)
}

/** Nothing can be awaited any more here: another process does it. */
function killAll(): void {
  const work = JSON.stringify({
    sdk: createRequire(import.meta.url).resolve('@e2b/code-interpreter'),
    sandboxes: [...open],
  })
  spawn(process.execPath, ['--input-type=commonjs', '--eval', KILL], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, CODEACT_E2B_KILL: work, NODE_OPTIONS: '' },
  }).unref()
}
