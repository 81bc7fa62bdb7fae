import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { local } from '@codeact/executor-local'
import { DRIVER, Echo } from './echo.ts'
import { startedBy } from './process-memory.ts'
import { NotMeasured } from './row.ts'
import { python } from './subject.ts'

/** bubblewrap around the echo, with the flags that `local()` gives it. */
export interface BareSandbox {
  start(): Echo
  close(): Promise<void>
}

/** Looks the flags up where they stand: on the command line of a session, whose workspace the echoes share. */
export async function bareSandbox(): Promise<BareSandbox> {
  const interpreter = await python()
  const before = new Set(startedBy(process.pid).map(([root]) => root))
  const model = await local({ python: interpreter }).open()
  const [root] = startedBy(process.pid).find(([pid]) => !before.has(pid)) ?? []
  const [file = '', ...args] = readFileSync(`/proc/${root}/cmdline`, 'utf8').split('\0')
  const flags = args.slice(0, args.indexOf('--') + 1)
  if (!file.endsWith('bwrap') || flags.length === 0) throw new NotMeasured('local() does not use bubblewrap here')
  return {
    start: () => bareEcho(file, [...flags, interpreter, '-I', '-S', '-c', DRIVER]),
    close: () => model.close(),
  }
}

function bareEcho(file: string, args: readonly string[]): Echo {
  const child = spawn(file, args, { env: {}, stdio: ['pipe', 'pipe', 'inherit'] })
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
