import { CodeActError } from '@codeact/spec'

/** What was typed is not a command. */
export function usageError(message: string, hint = 'codeact --help shows what there is.'): CodeActError {
  return new CodeActError('USAGE', message, { hint })
}
