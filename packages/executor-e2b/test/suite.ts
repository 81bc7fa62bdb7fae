import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { thisOwner } from '@codeact/sandbox'
import type { Executor } from '@codeact/spec'
import type { SuiteOptions } from '@codeact/testing'
import { Sandbox } from '@e2b/code-interpreter'
import { afterAll, beforeAll } from 'vitest'
import { type E2bOptions, e2b } from '../src/index.ts'
import { OWNER } from '../src/owner-metadata.ts'
import { isCloud, target } from './target.ts'

const SCRIPT = fileURLToPath(new URL('../../../scripts/e2b-emulator.mjs', import.meta.url))

/** In a process of its own: the suites look at what the host's memory and its event loop do. */
async function startApart() {
  const child = spawn(process.execPath, [SCRIPT], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  const said = (name: string): string => new RegExp(`${name}=(\\S+)`).exec(line)?.[1] ?? ''
  const connection = { apiUrl: said('E2B_API_URL'), sandboxUrl: said('E2B_SANDBOX_URL'), apiKey: said('E2B_API_KEY') }
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { connection, stop }
}

let apart: Awaited<ReturnType<typeof startApart>> | undefined
// Not where all tests of a file are skipped: then nobody would end it.
beforeAll(async () => {
  if (target.isMet && !isCloud) apart = await startApart()
})
afterAll(() => apart?.stop())

/** `e2b()` against the target. */
export function onTarget(more: E2bOptions = {}): (options?: SuiteOptions) => Executor {
  return (options) => e2b({ ...apart?.connection, ...more, ...options })
}

/** Sandboxes of this process that run. */
export async function leftovers(): Promise<readonly string[]> {
  const metadata = { [OWNER]: JSON.stringify(await thisOwner()) }
  const pages = Sandbox.list({ ...apart?.connection, query: { state: ['running'], metadata } })
  const found: string[] = []
  while (pages.hasNext) found.push(...(await pages.nextItems()).map(({ sandboxId }) => sandboxId))
  return found
}
