import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { Review } from '@codeact/core'
import type { Screen } from './screen.ts'

export interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** Asks the person at the terminal before code runs, which stands right above. What is typed in place of y is the reason. */
export function approveOnTerminal({ say, style }: Pick<Screen, 'say' | 'style'>, { input, output }: Terminal): Review {
  return async (_action, { signal }) => {
    say()
    const lines = createInterface({ input, output })
    try {
      const asked = lines.question(style.bold('  Run this? y, or what must be different: '), { signal })
      // Nobody is there who could allow it.
      const gone = once(lines, 'close').then(() => 'no')
      const typed = (await Promise.race([asked, gone])).trim()
      if (/^y(es)?$/i.test(typed)) return 'allow'
      return { deny: /^(no?)?$/i.test(typed) ? 'The user said no.' : `The user said: ${typed}` }
    } finally {
      lines.close()
    }
  }
}
