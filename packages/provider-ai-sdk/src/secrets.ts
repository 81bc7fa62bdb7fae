import type { AiSdkModel } from './ai-sdk-model.ts'
import type { AiSdkOptions } from './options.ts'
import { isRecord } from './stream-part.ts'

// Shorter values (a version, a flag) are no secrets, and would blot out words.
const SHORTEST_SECRET = 8

/** Which variables hold what must not be told. */
const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$/i

/** What a vendor's key looks like: `sk-…`, `gsk_…`, `xai-…`, `AIza…`. */
const LOOKS_SECRET = /\b(?:sk-|gsk_|xai-|AIza)[\w*-]+/g

/**
 * Hides secrets in a text that a server wrote. The model object has the key, and keeps it to itself; but it came from the
 * environment or goes out in the headers, and there it is looked for.
 */
export function secretsOf(model: AiSdkModel, { request = {} }: AiSdkOptions): (text: string) => string {
  const secrets = [...headersOf(request.headers), ...headersOf(ownHeaders(model)), ...environment()]
    .map((value) => value.replace(/^Bearer\s+/i, '').trim())
    .filter((value) => value.length >= SHORTEST_SECRET)
    .sort((one, other) => other.length - one.length)
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text).replace(LOOKS_SECRET, '***')
}

/** The SDK's own providers keep them so; what fails or answers later is passed over. */
function ownHeaders(model: AiSdkModel): unknown {
  const config: unknown = Reflect.get(model, 'config')
  if (!isRecord(config)) return undefined
  try {
    return typeof config.headers === 'function' ? config.headers() : config.headers
  } catch {
    return undefined
  }
}

function headersOf(headers: unknown): string[] {
  return isRecord(headers)
    ? Object.entries(headers).flatMap(([name, value]) => (isOpen(name) ? [] : strings(value)))
    : []
}

/** Headers that say what is sent, and by whom. */
function isOpen(name: string): boolean {
  return /^(user-agent|content-type|accept|.*-version|.*-beta)$/i.test(name)
}

function strings(value: unknown): string[] {
  return typeof value === 'string' ? [value] : []
}

function environment(): string[] {
  return Object.entries(process.env).flatMap(([name, value]) => (SECRET_NAME.test(name) ? strings(value) : []))
}
