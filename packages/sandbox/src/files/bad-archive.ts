import { CodeActError } from '@codeact/spec'

/** Bytes that are no archive, or a damaged one. `what` is the end of a sentence. */
export function badArchive(what: string): CodeActError {
  return new CodeActError('FILES_BAD_ARCHIVE', `The archive ${what}.`, {
    hint: 'Give a whole tar, plain or compressed with gzip.',
  })
}

/** Names in an archive may be anything and very long; in a message they are neither. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name)
}
