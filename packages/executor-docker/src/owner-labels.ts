import { thisOwner } from '@codeact/sandbox'

/** Labels of every container of ours. */
export const OWNER_LABEL = 'codeact.owner'
export const SANDBOX_LABEL = 'codeact.sandbox'

/** What a container is labelled with. */
export async function ownerLabels(sandbox: string): Promise<Readonly<Record<string, string>>> {
  return { [OWNER_LABEL]: JSON.stringify(await thisOwner()), [SANDBOX_LABEL]: sandbox }
}
