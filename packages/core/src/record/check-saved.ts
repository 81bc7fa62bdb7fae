import { CodeActError, type SavedSession } from '@codeact/spec'

/** @throws CodeActError `SAVED_INVALID` */
export function checkSaved(saved: SavedSession): SavedSession {
  const { v, messages, cells, files, begun } = saved
  if (v === 1 && [messages, cells, files, begun].every(Array.isArray) && messages[0]?.role === 'system') return saved
  throw new CodeActError('SAVED_INVALID', 'This is no saved session that this version can read.', {
    hint: 'Give what session.save() gave, or the log of a run: a file, or its events.',
  })
}
