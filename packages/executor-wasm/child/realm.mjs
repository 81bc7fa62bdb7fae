import fs from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'
import { hostFunctions } from './host-functions.mjs'
import { installDevices } from './inside/devices.mjs'
import { furnishRealm } from './inside/globals.mjs'
import { limitPython } from './inside/limits.mjs'
import { patchLoader, patchRuntime } from './patches.mjs'

/**
 * @typedef {object} RealmOptions
 * @property {string} pyodide the folder of the package
 * @property {number} maxHeapBytes of Python's memory
 * @property {number} maxFileBytes of all files together
 * @property {boolean} isMakingSnapshot
 * @property {(allocate: (length: number) => Uint8Array) => Uint8Array | undefined} readSnapshot
 */

/**
 * Loads Pyodide into a context that has nothing but the language: no `process`, `require`, `fetch`, `import()`, no code from
 * strings. It takes the place for a plain JavaScript shell, so none of its ways to the host is ever built.
 *
 * @param {RealmOptions} options
 */
export async function loadRealm({ pyodide: folder, maxHeapBytes, maxFileBytes, isMakingSnapshot, readSnapshot }) {
  const realm = vm.createContext(vm.constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: true } })
  const run = (/** @type {string} */ text, /** @type {string} */ filename) => vm.runInContext(text, realm, { filename })
  const evaluate = (/** @type {Function} */ inside) => run(`'use strict'; (${inside})`, inside.name)
  const read = (/** @type {string} */ name) => fs.readFileSync(path.join(folder, name), 'utf8')

  const host = hostFunctions(assets(folder), (timer) => inside.fire(timer))
  const inside = evaluate(furnishRealm)(host, maxHeapBytes)
  inside.compileEarly()
  const createPyodideModule = run(patchRuntime(read('pyodide.asm.mjs')), 'runtime')
  const loadPyodide = run(patchLoader(read('pyodide.mjs')), 'loader')
  const pyodide = await inside.load(loadPyodide, createPyodideModule, readSnapshot(inside.allocate), isMakingSnapshot)
  inside.closeShell()
  return {
    pyodide,
    /** Just before Python takes over: nothing of this could be part of a snapshot. */
    connect() {
      evaluate(installDevices)(host, pyodide, inside.limitHeap)
      evaluate(limitPython)(pyodide, maxFileBytes)
    },
  }
}

/**
 * The files that Pyodide reads by itself.
 *
 * @param {string} folder
 */
function assets(folder) {
  return Object.fromEntries(['pyodide.asm.wasm', 'python_stdlib.zip'].map((name) => [name, path.join(folder, name)]))
}
