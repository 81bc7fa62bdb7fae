/** A short id that is unique among those of one process and, with high odds (2^48), across processes: `step_9f3a1c04be77`. */
export function newId(kind: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6))
  return `${kind}_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
