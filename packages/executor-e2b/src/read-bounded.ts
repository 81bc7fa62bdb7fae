import { CodeActError } from '@codeact/spec'
import type { Sandbox } from '@e2b/code-interpreter'

const CALL_MS = 60_000

/** A file that the code in the sandbox may have made larger than it was. Rejects with `PROTOCOL_ERROR` beyond `most` bytes. */
export async function readBounded(sandbox: Sandbox, path: string, most: number): Promise<Uint8Array> {
  const stream = await sandbox.files.read(path, { format: 'stream', signal: AbortSignal.timeout(CALL_MS) })
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of stream) {
    length += part.length
    if (length > most) throw new CodeActError('PROTOCOL_ERROR', `${path} in the sandbox is larger than ${most} bytes.`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
