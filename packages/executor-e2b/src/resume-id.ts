import { CodeActError } from '@codeact/spec'

/** Where a sandbox was put to rest: in it, the program that goes on. */
export interface Resting {
  readonly sandboxId: string
  readonly pid: number
  readonly token: string
}

const ID = /^([\w-]+)\.(\d{1,10})\.([\w-]+)$/

export function resumeId({ sandboxId, pid, token }: Resting): string {
  return `${sandboxId}.${pid}.${token}`
}

/** Throws `OPTION_INVALID` for what `suspend()` never gave. */
export function parseResumeId(id: string): Resting {
  const [, sandboxId, pid, token] = ID.exec(id) ?? []
  if (sandboxId !== undefined && token !== undefined) return { sandboxId, pid: Number(pid), token }
  throw new CodeActError('OPTION_INVALID', `e2b(): ${JSON.stringify(id)} is not the id of a suspended sandbox.`, {
    hint: 'Give what suspend() of a sandbox of e2b() gave.',
  })
}
