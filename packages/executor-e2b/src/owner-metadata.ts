import { type Owner, thisOwner } from '@codeact/sandbox'

/** In the metadata of every sandbox of ours. */
export const OWNER = 'codeact.owner'
/** E2B finds sandboxes by what is equal: those of one start of one machine. */
export const BOOT = 'codeact.boot'

/**
 * Where a sandbox says who has it now, once it has been put to rest: its metadata cannot be changed, and who goes on with it may be
 * somebody else.
 */
export const OWNER_FILE = '/tmp/.codeact-owner'

/** What a sandbox is made with. */
export async function ownerMetadata(): Promise<Record<string, string>> {
  const owner = await thisOwner()
  return { [OWNER]: JSON.stringify(owner), [BOOT]: bootOf(owner) }
}

export function bootOf({ host, boot = 'unknown' }: Owner): string {
  return `${host}/${boot}`
}
