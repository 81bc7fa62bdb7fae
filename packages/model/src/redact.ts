// Shorter values (a version, a flag) are no secrets, and would blot out words.
const SHORTEST_SECRET = 8

/** What a vendor's key looks like: `sk-…`, `gsk_…`, `xai-…`, `AIza…`. */
const LOOKS_SECRET = /\b(?:sk-|gsk_|xai-|AIza)[\w*-]+/g

/** A user name and a password in a URL. */
const USER = /(?<=:\/\/)[^\s/?#]+(?=@)/g

/** Hides secrets, and what looks like a key or a password, in a text that a server or `fetch` wrote. */
export function redact(text: string, secrets: readonly string[]): string {
  const hidden = secrets
    .map((secret) => secret.replace(/^Bearer\s+/i, '').trim())
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((one, other) => other.length - one.length)
  const rest = hidden.reduce((left, secret) => left.replaceAll(secret, '***'), withoutHeader(text))
  return rest.replace(LOOKS_SECRET, '***').replace(USER, '***')
}

/** Of a header that it cannot send, `fetch` repeats the value. */
function withoutHeader(text: string): string {
  const end = text.lastIndexOf('" is an invalid header value')
  return end < 0 ? text : `${text.slice(0, text.indexOf('"'))}"***${text.slice(end)}`
}

/** The values of headers that may hold a secret: all but those that say what is sent, and by whom. */
export function secretsIn(headers: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' && !isOpen(name) ? [value] : []))
}

function isOpen(name: string): boolean {
  return /^(user-agent|content-type|accept|.*-version|.*-beta)$/i.test(name)
}
