/**
 * Bounds what would otherwise end the process or fill the machine. Evaluated inside the realm, as `furnishRealm` is.
 *
 * @param {any} pyodide
 * @param {number} maxFileBytes
 */
export function limitPython(pyodide, maxFileBytes) {
  const { FS, _module: module } = pyodide
  const NO_SPACE = 51

  // JavaScript's stack ends before Python's own does, and its end is fatal: with this bound Python notices first, and
  // raises RecursionError.
  const STACK_BYTES = 300_000
  const thread = module._PyThreadState_Get()
  module._PyUnstable_ThreadState_SetStackProtection(
    thread,
    module._emscripten_stack_get_base() - STACK_BYTES,
    STACK_BYTES,
  )

  // Files lie in this process's memory. Growth is counted; what was removed is found by counting again when it gets tight.
  let used = countFiles()
  const { node: inodes, stream: contents } = FS.filesystems.MEMFS.ops_table.file
  const { setattr } = inodes
  const { write } = contents

  contents.write = (
    /** @type {any} */ stream,
    /** @type {Uint8Array} */ data,
    /** @type {number} */ offset,
    /** @type {number} */ length,
    /** @type {number} */ position,
    /** @type {boolean} */ canOwn,
  ) => {
    reserve(position + length - stream.node.usedBytes)
    return write(stream, data, offset, length, position, canOwn)
  }
  inodes.setattr = (/** @type {any} */ node, /** @type {any} */ attributes) => {
    if (attributes.size !== undefined) reserve(attributes.size - node.usedBytes)
    return setattr(node, attributes)
  }

  /** @param {number} bytes */
  function reserve(bytes) {
    if (bytes <= 0) return
    if (used + bytes > maxFileBytes) used = countFiles()
    if (used + bytes > maxFileBytes) throw new FS.ErrnoError(NO_SPACE)
    used += bytes
  }

  function countFiles() {
    const seen = new Set()
    const folders = [FS.root]
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const node of Object.values(folder.contents)) {
        if (FS.isDir(node.mode)) folders.push(node)
        else seen.add(node)
      }
    }
    // A file that was removed while it was open is still there.
    for (const stream of FS.streams) if (stream?.node) seen.add(stream.node)
    let bytes = 0
    for (const node of seen) bytes += node.usedBytes || 0
    return bytes
  }
}
