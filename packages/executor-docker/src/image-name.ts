/** A name such as `registry.example:5000/team/image:tag@sha256:…`, or an id. */
export interface ImageName {
  readonly text: string
  /** Undefined for Docker's own. */
  readonly registry: string | undefined
  /** Whether it says which one of the repository's images it means. */
  readonly isExact: boolean
  /** No registry knows ids. A short one without its `sha256:` could be a name as well, and is taken for one. */
  readonly isId: boolean
}

const HOST = String.raw`(?:[A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?`
const WORD = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const NAME = new RegExp(`^(?:(${HOST})/)?${WORD}(?:/${WORD})*(:\\w[\\w.-]{0,127})?(@[a-z0-9+._-]+:[0-9a-f]{32,128})?$`)
const ID = /^(?:sha256:[0-9a-f]{6,64}|[0-9a-f]{64})$/
const LONGEST = 512

/** Undefined for what Docker would not take either. Nothing else may become part of a request's path. */
export function parseImageName(text: string): ImageName | undefined {
  if (ID.test(text)) return { text, registry: undefined, isExact: true, isId: true }
  const match = text.length > LONGEST ? null : NAME.exec(text)
  if (match === null) return undefined
  const [, host, tag, digest] = match
  const registry = isRegistry(host) ? host : undefined
  return { text, registry, isExact: tag !== undefined || digest !== undefined, isId: false }
}

/** The first part of a name is a registry only where it cannot be a part of the path. */
function isRegistry(host: string | undefined): boolean {
  return host !== undefined && (/[.:A-Z]/.test(host) || host === 'localhost')
}
