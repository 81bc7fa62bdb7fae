import fs from 'node:fs'
import path from 'node:path'

const OWN = path.join(import.meta.dirname, 'python')

/**
 * Loads the kernel's modules into Python. Their files lie in its file system only meanwhile.
 *
 * @param {any} pyodide
 * @param {string} shared folder of the kernel that all sandboxes share
 */
export function importKernel(pyodide, shared) {
  for (const [folder, target] of [
    [shared, '/codeact/shared'],
    [OWN, '/codeact/own'],
  ]) {
    pyodide.FS.mkdirTree(target)
    const names = fs.readdirSync(folder ?? '').filter((name) => name.endsWith('.py'))
    for (const name of names)
      pyodide.FS.writeFile(`${target}/${name}`, fs.readFileSync(path.join(folder ?? '', name), 'utf8'))
  }
  runFile(pyodide, 'bootstrap.py')
  pyodide.runPython('import shutil; shutil.rmtree("/codeact"); del shutil')
}

/**
 * Loads what is worth having in a snapshot.
 *
 * @param {any} pyodide
 */
export function preloadModules(pyodide) {
  runFile(pyodide, 'preload.py')
}

/**
 * @param {any} pyodide
 * @param {string} name
 */
function runFile(pyodide, name) {
  // In a namespace of its own: what it leaves there is nobody's.
  const globals = pyodide.runPython('dict()')
  pyodide.runPython(fs.readFileSync(path.join(OWN, name), 'utf8'), { filename: name, globals })
  globals.destroy()
}

/**
 * Runs Python's side for as long as the session lives, and tells how that ended.
 *
 * @param {any} pyodide
 * @param {{ env: Record<string, string>, maxHeapBytes: number }} settings
 * @returns {import('./frames.mjs').End}
 */
export function serve(pyodide, { env, maxHeapBytes }) {
  try {
    pyodide.pyimport('_codeact_session').serve(JSON.stringify({ env }))
    return { reason: 'exit', detail: 'the kernel returned' }
  } catch (error) {
    return howItEnded(error, () => pyodide._module.HEAP8.length >= maxHeapBytes)
  }
}

/**
 * Whatever comes here was made inside, so it is only looked at, with care.
 *
 * @param {any} error
 * @param {() => boolean} isFull whether Python has all the memory it may have
 * @returns {import('./frames.mjs').End}
 */
function howItEnded(error, isFull) {
  try {
    const message = String(error?.message)
    const code = /exit\((\d+)\)/.exec(message)?.[1]
    if (code !== undefined) return { reason: 'exit', detail: `exit code ${code}` }
    if (isFull()) return { reason: 'memory', detail: 'Python ran out of memory' }
    return { reason: 'signal', detail: message.trim().split('\n').at(-1)?.slice(0, 500) ?? '' }
  } catch {
    return { reason: 'signal', detail: 'Python broke down' }
  }
}
