import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { DRIVER, Echo } from './echo.ts'

/** The echo in a process of its own, over its pipes. */
export function processEcho(python: string, driver = DRIVER): Echo {
  const child = spawn(python, ['-I', '-S', '-c', driver], { stdio: ['pipe', 'pipe', 'inherit'] })
  return new Echo({
    write: (text) => child.stdin.write(text),
    onText: (listen) => child.stdout.setEncoding('utf8').on('data', listen),
    close: async () => {
      const gone = once(child, 'close')
      child.stdin.end()
      await gone
    },
  })
}
