/** What goes wrong in a cell, with a name as the language gives it. */
export class Trouble extends Error {
  /**
   * @param {string} name
   * @param {string} message
   */
  constructor(name, message) {
    super(message)
    this.name = name
  }
}

const interrupted = () => new Trouble('Interrupted', 'the host asked\nfor an end')

/**
 * What comes of the work, or that the cell was interrupted meanwhile.
 * @template T
 * @param {Promise<T>} work
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
export function unlessInterrupted(work, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => reject(interrupted())
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
