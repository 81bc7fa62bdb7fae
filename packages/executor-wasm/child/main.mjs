// The process that Python runs in: Pyodide in a closed realm, loaded from its snapshot, and the kernel that answers frames.
// All that Python does happens in one call that does not return; to wait for the host, it blocks.

import { FRAMES_IN, readAll } from './descriptors.mjs'
import { endProcess } from './end-process.mjs'
import { watchForInterrupts } from './interrupts.mjs'
import { importKernel, preloadModules, serve } from './kernel.mjs'
import { loadRealm } from './realm.mjs'
import { readSnapshot, writeSnapshot } from './snapshot.mjs'

/**
 * @typedef {object} Settings
 * @property {'run' | 'make-snapshot'} task
 * @property {string} pyodide folder of the package
 * @property {string} kernel folder of the kernel that all sandboxes share
 * @property {number} maxHeapBytes
 * @property {number} maxFileBytes
 * @property {string} [snapshot] its key, where there is one to load or to make
 * @property {Record<string, string>} env
 */

process.on('uncaughtException', fail)
const settings = readSettings()
watchForInterrupts()
if (settings.task === 'make-snapshot') await makeSnapshot(settings).catch(fail)
else await run(settings).catch(fail)

/** @param {Settings} settings */
async function run(settings) {
  const { pyodide, connect } = await loadRealm({
    ...settings,
    isMakingSnapshot: false,
    readSnapshot: snapshotReader(settings),
  })
  if (settings.snapshot === undefined) importKernel(pyodide, settings.kernel)
  connect()
  endProcess(serve(pyodide, settings))
}

/** @param {Settings} settings */
async function makeSnapshot(settings) {
  const { pyodide } = await loadRealm({ ...settings, isMakingSnapshot: true, readSnapshot: () => undefined })
  importKernel(pyodide, settings.kernel)
  preloadModules(pyodide)
  writeSnapshot(settings.snapshot ?? '', pyodide.makeMemorySnapshot())
  endProcess({ reason: 'exit', detail: 'snapshot made' })
}

/**
 * @param {Settings} settings
 * @returns {(allocate: (length: number) => Uint8Array) => Uint8Array | undefined}
 */
function snapshotReader({ snapshot }) {
  return (allocate) => {
    try {
      return snapshot === undefined ? undefined : readSnapshot(snapshot, allocate)
    } catch {
      return endProcess({ reason: 'exit', detail: 'bad snapshot' })
    }
  }
}

/** @param {unknown} error */
function fail(error) {
  endProcess({ reason: 'exit', detail: String(error).slice(0, 500) })
}

/** @returns {Settings} the first thing that the host sends: a length in four bytes, then JSON */
function readSettings() {
  const length = Buffer.alloc(4)
  readAll(FRAMES_IN, length)
  const text = Buffer.alloc(length.readUInt32LE())
  readAll(FRAMES_IN, text)
  return JSON.parse(text.toString('utf8'))
}
