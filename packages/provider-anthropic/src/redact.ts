// Shorter values (a version, a flag) are no secrets, and would blot out words.
const SHORTEST_SECRET = 8

/** Replaces the secrets, and what looks like a key of Anthropic's, in a text that a server wrote. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const hidden = secrets.filter((secret) => secret.length >= SHORTEST_SECRET)
  return (text) =>
    hidden.reduce((rest, secret) => rest.replaceAll(secret, '***'), text).replace(/\bsk-[\w*-]+/g, 'sk-***')
}
