// Shorter values (a version, a flag) are no secrets, and would blot out words.
const SHORTEST_SECRET = 8

/** What a vendor's key looks like: `sk-…`, `gsk_…`, `xai-…`, `AIza…`. */
const LOOKS_SECRET = /\b(?:sk-|gsk_|xai-|AIza)[\w*-]+/g

/** Hides secrets, and what looks like a key, in a text that a server wrote. */
export function redact(text: string, secrets: readonly string[]): string {
  const hidden = secrets
    .map((secret) => secret.replace(/^Bearer\s+/i, '').trim())
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((one, other) => other.length - one.length)
  return hidden.reduce((rest, secret) => rest.replaceAll(secret, '***'), text).replace(LOOKS_SECRET, '***')
}

/** The values of headers that may hold a secret: all but those that say what is sent, and by whom. */
export function secretsIn(headers: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' && !isOpen(name) ? [value] : []))
}

function isOpen(name: string): boolean {
  return /^(user-agent|content-type|accept|.*-version|.*-beta)$/i.test(name)
}
