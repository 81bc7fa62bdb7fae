/**
 * Furnishes the bare realm with what Pyodide needs of a "shell", and no more. Its text is evaluated inside the realm, so it
 * can refer to nothing out here; what it is given stays in its closures. Only primitives and the realm's own arrays cross.
 *
 * @param {import('../host-functions.mjs').HostFunctions} host
 * @param {number} maxHeapBytes of Python's memory
 */
export function furnishRealm(host, maxHeapBytes) {
  /** @type {any} */
  const wasm = Reflect.get(globalThis, 'WebAssembly')
  // Both reject with an error object of the outer realm.
  Reflect.deleteProperty(wasm, 'instantiateStreaming')
  Reflect.deleteProperty(wasm, 'compileStreaming')

  const forbidden = ['globalThis', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'FinalizationRegistry', 'WeakRef']
  /** @type {Record<string, unknown>} What Python sees as the module `js`. */
  const jsModule = {}
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!forbidden.includes(name)) jsModule[name] = Reflect.get(globalThis, name)
  }

  /** @type {Map<number, () => void>} */
  const timers = new Map()
  let lastTimer = 0

  /** @param {string} path */
  function bytesOf(path) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const bytes = new Uint8Array(host.fileSize(name))
    host.readFile(name, bytes)
    return bytes
  }

  /** @param {ArrayBuffer | ArrayBufferView} data */
  function viewOf(data) {
    return ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data)
  }

  class RealmTextDecoder {
    #isFatal
    #ignoresBom

    constructor(encoding = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
      this.encoding = encoding
      this.#isFatal = fatal
      this.#ignoresBom = ignoreBOM
    }

    /** @param {ArrayBuffer | ArrayBufferView} data */
    decode(data = new Uint8Array()) {
      const text = host.decode(String(this.encoding), this.#isFatal, this.#ignoresBom, viewOf(data))
      if (typeof text !== 'string') throw new TypeError(`the data is not ${this.encoding}`)
      return text
    }
  }

  class RealmTextEncoder {
    encoding = 'utf-8'

    encode(text = '') {
      const bytes = new Uint8Array(3 * text.length)
      return bytes.slice(0, host.encode(String(text), bytes))
    }

    /**
     * @param {string} text
     * @param {Uint8Array} bytes
     */
    encodeInto(text, bytes) {
      return { read: text.length, written: host.encode(String(text), bytes) }
    }
  }

  // When code has taken all it may, the kernel needs some more to say so, and the next cell to free what the last one took.
  const MEGABYTE = 1024 * 1024
  let heapLimit = maxHeapBytes + 16 * MEGABYTE

  const log = (/** @type {unknown[]} */ ...words) => host.log(words.map(String).join(' '))
  const silent = () => {}
  const shell = { read: silent, load: silent, readbuffer: (/** @type {string} */ path) => bytesOf(path).buffer }
  const globals = {
    ...shell,
    TextDecoder: RealmTextDecoder,
    TextEncoder: RealmTextEncoder,
    console: { log, warn: log, error: log, info: silent, debug: silent },
    performance: { now: () => host.now() },
    crypto: {
      /** @param {ArrayBufferView} data */
      getRandomValues(data) {
        host.random(viewOf(data))
        return data
      },
    },
    /** @param {() => void} callback */
    setTimeout(callback, milliseconds = 0) {
      timers.set(++lastTimer, callback)
      host.setTimer(lastTimer, Number(milliseconds))
      return lastTimer
    },
    clearTimeout: (/** @type {number} */ timer) => timers.delete(timer),
    heapLimit: () => heapLimit,
    refuseImport: () => Promise.reject(new Error('import() is not available')),
  }
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
  }

  return {
    /**
     * @param {(options: object) => Promise<unknown>} loadPyodide
     * @param {unknown} createPyodideModule
     * @param {Uint8Array | undefined} snapshot
     * @param {boolean} isMakingSnapshot
     */
    load: (loadPyodide, createPyodideModule, snapshot, isMakingSnapshot) =>
      loadPyodide({
        indexURL: '/pyodide/',
        // Otherwise it would ask the network for its list of packages.
        lockFileContents: { info: { abi_version: '2026_0' }, packages: {} },
        createPyodideModule,
        jsglobals: jsModule,
        stdin: silent,
        stdout: log,
        stderr: log,
        _loadSnapshot: snapshot,
        _makeSnapshot: isMakingSnapshot,
      }),
    /** Starts compiling at once, while the rest is read; `instantiate` then takes that module for Pyodide's bytes. */
    compileEarly() {
      const compiled = wasm.compile(bytesOf('pyodide.asm.wasm'))
      const { instantiate } = wasm
      wasm.instantiate = async (/** @type {any} */ source, /** @type {unknown} */ imports) => {
        const isRuntime = source.byteLength > 1_000_000
        if (!isRuntime) return instantiate(source, imports)
        wasm.instantiate = instantiate
        const module = await compiled
        return { module, instance: await instantiate(module, imports) }
      }
    },
    /**
     * Sets how far Python's memory may grow from now on.
     *
     * @param {number | undefined} cellStartsAt bytes of memory at the start of a cell; undefined between cells
     */
    limitHeap(cellStartsAt) {
      const reserve = cellStartsAt === undefined ? 16 * MEGABYTE : cellStartsAt + 4 * MEGABYTE - maxHeapBytes
      heapLimit = maxHeapBytes + Math.max(0, Math.min(reserve, 16 * MEGABYTE))
    },
    /** @param {number} length */
    allocate: (length) => new Uint8Array(length),
    /** @param {number} timer */
    fire(timer) {
      timers.get(timer)?.()
      timers.delete(timer)
    },
    /** Takes away what only loading needs. */
    closeShell() {
      for (const name of Object.keys(shell)) Reflect.deleteProperty(globalThis, name)
    },
  }
}
