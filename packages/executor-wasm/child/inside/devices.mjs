/**
 * Puts the host behind files of Python's: frames in `/dev/codeact`, the standard streams in theirs, the rest in a module.
 * Evaluated inside the realm, as `furnishRealm` is.
 *
 * @param {import('../host-functions.mjs').HostFunctions} host
 * @param {any} pyodide
 * @param {(cellStartsAt: number | undefined) => void} limitHeap
 */
export function installDevices(host, pyodide, limitHeap) {
  const { FS } = pyodide
  const major = 240

  /** @param {Uint8Array} heap @param {number} offset @param {number} length */
  const part = (heap, offset, length) => new Uint8Array(heap.buffer, heap.byteOffset + offset, length)

  /**
   * @param {string} path
   * @param {number} minor
   * @param {(bytes: Uint8Array) => unknown} read
   * @param {(bytes: Uint8Array) => void} write
   */
  function device(path, minor, read, write) {
    const operations = {
      open: (/** @type {any} */ stream) => {
        stream.seekable = false
      },
      close: () => {},
      llseek: () => {
        throw new FS.ErrnoError(70)
      },
      read: (
        /** @type {unknown} */ _,
        /** @type {Uint8Array} */ heap,
        /** @type {number} */ offset,
        /** @type {number} */ length,
      ) => read(part(heap, offset, length)),
      write: (
        /** @type {unknown} */ _,
        /** @type {Uint8Array} */ heap,
        /** @type {number} */ offset,
        /** @type {number} */ length,
      ) => {
        write(part(heap, offset, length))
        return length
      },
    }
    FS.registerDevice(FS.makedev(major, minor), operations)
    if (FS.analyzePath(path).exists) FS.unlink(path)
    FS.mkdev(path, FS.makedev(major, minor))
  }

  const nothing = () => 0
  device('/dev/stdin', 0, nothing, nothing)
  device('/dev/stdout', 1, nothing, (bytes) => host.output(1, bytes))
  device('/dev/stderr', 2, nothing, (bytes) => host.output(2, bytes))
  device(
    '/dev/codeact',
    3,
    (bytes) => host.receive(bytes),
    (bytes) => host.send(bytes),
  )
  for (const [descriptor, name] of ['stdin', 'stdout', 'stderr'].entries()) {
    FS.closeStream(descriptor)
    FS.open(`/dev/${name}`, descriptor === 0 ? 0 : 1)
  }

  pyodide.registerJsModule('_codeact_host', {
    beginCell: (/** @type {unknown} */ cell) => {
      limitHeap(cell === '' ? undefined : pyodide._module.HEAP8.length)
      host.beginCell(String(cell))
    },
    isInterrupted: () => host.isInterrupted(),
    isInterruptedBy: (/** @type {unknown} */ number) => host.isInterruptedBy(Number(number)),
    sleep: (/** @type {unknown} */ milliseconds) => host.sleep(Number(milliseconds)),
  })
  pyodide.setInterruptBuffer({
    get 0() {
      return host.isInterrupted() ? 2 : 0
    },
    set 0(_) {}, // Python takes the signal back after it has seen it.
  })
}
