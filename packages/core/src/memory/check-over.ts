import { CodeActError } from '@codeact/spec'

export function checkOver(name: string, over: number): void {
  if (over > 0) return
  throw new CodeActError('OPTION_INVALID', `${name}: over must be a number of tokens above 0, not ${over}.`)
}
