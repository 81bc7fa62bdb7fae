import { sendEnd } from './frames.mjs'

/**
 * Ends the process and its watcher. A plain exit would wait for that thread, which waits for the host.
 *
 * @param {import('./frames.mjs').End} [end] what the host is to know; nothing where it is gone
 * @returns {never}
 */
export function endProcess(end) {
  try {
    if (end !== undefined) sendEnd(end)
  } finally {
    process.kill(process.pid, 'SIGKILL')
  }
  throw new Error('this is never reached')
}
