const BYTES = 6
const AT_A_TIME = 256

let pool = new Uint8Array(0)
let used = 0

/** A short id that is unique among those of one process and, with high odds (2^48), across processes: `step_9f3a1c04be77`. */
export function newId(kind: string): string {
  let id = `${kind}_`
  for (const byte of randomBytes()) id += (byte < 16 ? '0' : '') + byte.toString(16)
  return id
}

/** Drawn many at a time: asking the system takes longer than all the rest. */
function randomBytes(): Uint8Array {
  if (used === pool.length) {
    pool = crypto.getRandomValues(new Uint8Array(BYTES * AT_A_TIME))
    used = 0
  }
  used += BYTES
  return pool.subarray(used - BYTES, used)
}
