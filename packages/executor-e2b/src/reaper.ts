import { isGone, parseOwner, thisOwner } from '@codeact/sandbox'
import { Sandbox, type SandboxInfo } from '@e2b/code-interpreter'
import { BOOT, bootOf, OWNER, OWNER_FILE } from './owner-metadata.ts'
import { readBounded } from './read-bounded.ts'
import { nameOf } from './sdk-error.ts'
import type { Connection } from './settings.ts'

const swept = new Map<string, Promise<readonly string[]>>()

/** To look into a sandbox it must be connected to, which would give it more time if it had less than this. */
const GLANCE_MS = 1000
const LONGEST_OWNER = 10_000

/**
 * Ends the sandboxes of processes of this machine that live no more, which were killed before they could. Never rejects, nor ends
 * what may still have an owner, nor what is at rest. Once for each key and process; gives the ids of what was ended.
 */
export function removeLeftovers(connection: Connection): Promise<readonly string[]> {
  const account = JSON.stringify(connection)
  const sweeping = swept.get(account) ?? sweep(connection)
  swept.set(account, sweeping)
  return sweeping
}

/** As `removeLeftovers`, at every call. */
export async function sweep(connection: Connection): Promise<readonly string[]> {
  try {
    const ended: string[] = []
    for (const { sandboxId, metadata } of await ownSandboxes(connection)) {
      if (await isForsaken(sandboxId, metadata, connection)) {
        await Sandbox.kill(sandboxId, connection)
        ended.push(sandboxId)
      }
    }
    return ended
  } catch {
    return []
  }
}

async function ownSandboxes(connection: Connection): Promise<SandboxInfo[]> {
  const metadata = { [BOOT]: bootOf(await thisOwner()) }
  const pages = Sandbox.list({ ...connection, query: { state: ['running'], metadata } })
  const all: SandboxInfo[] = []
  while (pages.hasNext) all.push(...(await pages.nextItems()))
  return all
}

/** Whoever made it is gone; and so is whoever went on with it, where it was put to rest meanwhile. */
async function isForsaken(id: string, metadata: SandboxInfo['metadata'], connection: Connection): Promise<boolean> {
  const maker = parseOwner(metadata[OWNER])
  if (maker === undefined || !(await isGone(maker))) return false
  const text = await ownerFile(id, connection)
  if (text === undefined) return true
  const owner = parseOwner(text)
  return owner !== undefined && (await isGone(owner))
}

async function ownerFile(sandboxId: string, connection: Connection): Promise<string | undefined> {
  const sandbox = await Sandbox.connect(sandboxId, { ...connection, timeoutMs: GLANCE_MS })
  try {
    return Buffer.from(await readBounded(sandbox, OWNER_FILE, LONGEST_OWNER)).toString('utf8')
  } catch (error) {
    if (nameOf(error) === 'FileNotFoundError' || nameOf(error) === 'NotFoundError') return undefined
    throw error
  }
}
