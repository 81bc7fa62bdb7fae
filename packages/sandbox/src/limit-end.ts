import type { ChannelEnd } from './backend.ts'

const MB = 1024 ** 2
const GB = 1024 ** 3

/** The end of a kernel that was killed for a limit, told alike by every executor. `most` is undefined where nobody knows it. */
export function limitEnd(limit: 'memory' | 'disk' | 'processes', most?: number): ChannelEnd {
  if (most === undefined) return { reason: limit, detail: `${limit} limit` }
  return {
    reason: limit,
    detail: limit === 'processes' ? `limit of ${most} processes` : `${limit} limit ${sizeOf(most)}`,
  }
}

/** `512 MB`; units are powers of 1024. */
function sizeOf(bytes: number): string {
  const [unit, name] = bytes >= GB ? [GB, 'GB'] : [MB, 'MB']
  return `${Number((bytes / unit).toFixed(1))} ${name}`
}
