/**
 * Tells a person what is being done and how long each part took, a line each; what a failed part printed follows its line.
 *
 * @param {NodeJS.WritableStream} out
 */
export function stages(out) {
  /**
   * @param {string} title
   * @param {() => Promise<{ ok: boolean, output: string }>} work
   * @returns {Promise<boolean>} whether it went well
   */
  return async (title, work) => {
    const started = performance.now()
    out.write(`${title.padEnd(28, ' .')} `)
    const { ok, output } = await work().catch((error) => ({ ok: false, output: String(error?.stack ?? error) }))
    out.write(`${ok ? '' : 'failed after '}${((performance.now() - started) / 1000).toFixed(1)} s\n`)
    if (!ok) out.write(output.endsWith('\n') ? output : `${output}\n`)
    return ok
  }
}
