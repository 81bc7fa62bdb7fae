// Pyodide ships modules for browsers and Node; the closed realm takes classic scripts that can import nothing. The text is
// changed in a few places, each of which must be found as often as expected: another Pyodide fails here, loudly.

const IMPORT_CALL = /(?<![\w$.])import\(/g

/**
 * `pyodide.asm.mjs` as a script whose value is the module factory.
 *
 * @param {string} text
 */
export function patchRuntime(text) {
  return withoutImports(
    replaced(text, [
      ['import.meta.url', '"file:///pyodide/pyodide.asm.mjs"', 3],
      ['export default _createPyodideModule;', '_createPyodideModule;', 1],
      // How far Python's memory may grow is asked of the realm; see `inside/globals.mjs`.
      ['var maxHeapSize=getHeapMax();if(requestedSize', 'var maxHeapSize=heapLimit();if(requestedSize', 1],
      // Where there is neither a browser nor Node, it would ask a shell for random bytes.
      ['if(ENVIRONMENT_IS_SHELL){return view=>{if(!os.system)', 'if(false){return view=>{if(!os.system)', 1],
      // Its last words are not the user's output.
      ['try{e||_dump_traceback();', 'try{', 1],
    ]),
    15,
  )
}

/**
 * `pyodide.mjs` as a script whose value is `loadPyodide`.
 *
 * @param {string} text
 */
export function patchLoader(text) {
  const [body] = replaced(text, [['export{dt as loadPyodide,U as version};', 'return dt;', 1]]).split(
    '//# sourceMappingURL',
  )
  return withoutImports(`(() => {${body}})()`, 13)
}

/**
 * @param {string} text
 * @param {readonly (readonly [string, string, number])[]} changes
 */
function replaced(text, changes) {
  return changes.reduce((result, [from, to, expected]) => {
    const parts = result.split(from)
    if (parts.length - 1 !== expected) throw mismatch(from, expected, parts.length - 1)
    return parts.join(to)
  }, text)
}

/**
 * A rejected `import()` would hand the realm an error object of the outer one.
 *
 * @param {string} text
 * @param {number} expected
 */
function withoutImports(text, expected) {
  const found = text.match(IMPORT_CALL)?.length ?? 0
  if (found !== expected) throw mismatch('import(', expected, found)
  return text.replace(IMPORT_CALL, 'refuseImport(')
}

/**
 * @param {string} what
 * @param {number} expected
 * @param {number} found
 */
function mismatch(what, expected, found) {
  return new Error(`this Pyodide is not the one that is known: ${what} is there ${found} times, not ${expected}`)
}
