import { constants } from 'node:os'

/** The command's end from outside: a signal, or nobody left who reads what it prints. */
export interface Stop {
  /** Aborts when the command is to end. */
  readonly signal: AbortSignal
  /** What to exit with then, as a shell counts it: 130 for Ctrl-C. */
  exitCode: number | undefined
  /** As if this signal had come: where a terminal hands Ctrl-C over as a key. */
  receive(signal: NodeJS.Signals): void
}

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** The first signal lets the command come to its end in order; a second one ends it at once. */
export function listenForStop(): Stop {
  const controller = new AbortController()
  const stop: Stop = {
    signal: controller.signal,
    exitCode: undefined,
    receive(signal) {
      const isSecond = controller.signal.aborted
      stop.exitCode = 128 + constants.signals[signal]
      controller.abort()
      if (isSecond) process.exit(stop.exitCode)
    },
  }
  for (const signal of SIGNALS) process.on(signal, () => stop.receive(signal))
  // A reader that has gone, as with `| head`, is no error; what is still written goes nowhere.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      stop.exitCode ??= 128 + constants.signals.SIGPIPE
      controller.abort()
    })
  }
  return stop
}
