import type { Exchange } from './exchange.ts'

/** A request as it came, for tests to look at. */
export interface RequestRecord {
  readonly route: string
  readonly method: string
  readonly path: string
  readonly sandboxId: string | undefined
  readonly headers: Readonly<Record<string, string | undefined>>
  /** What was said, where it was JSON. */
  readonly body: unknown
  readonly bytes: number
}

export function recordOf({ route, method, path, headers, body }: Exchange): RequestRecord {
  const type = headers['content-type'] ?? ''
  const json = type.includes('connect+json') ? body.subarray(5) : type.includes('json') ? body : undefined
  return {
    route,
    method,
    path,
    sandboxId: headers['e2b-sandbox-id'],
    headers,
    body: json === undefined ? undefined : parsed(json),
    bytes: body.length,
  }
}

function parsed(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString() || 'null')
  } catch {
    return undefined
  }
}
