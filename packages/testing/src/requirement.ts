/** Something that a machine may lack: an engine, an interpreter, a library. */
export interface Requirement {
  /** As `CODEACT_REQUIRE` names it: `bubblewrap`. */
  readonly name: string
  readonly isMet: boolean
  /** Why not, and what to do about it; the name of the skip. */
  readonly reason: string
}

/**
 * Looks for what a suite needs. Where it is missing the suite is skipped by name; where the environment variable
 * `CODEACT_REQUIRE` (names, separated by commas) lists it, a missing one throws, so that no machine that should have it
 * passes without.
 */
export async function requirement(name: string, probe: () => Promise<unknown>): Promise<Requirement> {
  const failure = await probe().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )
  if (failure === undefined) return { name, isMet: true, reason: '' }
  const reason = `needs ${name}: ${failure.message}`
  if (requiredNames().includes(name))
    throw new Error(`CODEACT_REQUIRE asks for ${name}, but the suite ${reason}`, { cause: failure })
  return { name, isMet: false, reason }
}

/** For what every machine could do, and takes long: met where `CODEACT_REQUIRE` lists the name, and a named skip elsewhere. */
export function onRequest(name: string): Requirement {
  const isMet = requiredNames().includes(name)
  return { name, isMet, reason: isMet ? '' : `takes long; CODEACT_REQUIRE=${name} runs it` }
}

function requiredNames(): string[] {
  return (process.env.CODEACT_REQUIRE ?? '').split(',').map((name) => name.trim())
}
