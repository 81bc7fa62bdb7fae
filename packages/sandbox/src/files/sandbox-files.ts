import type { SandboxFiles } from '@codeact/spec'
import type { BackendFiles } from '../backend.ts'
import { pack } from './pack.ts'
import { unpack } from './unpack.ts'

/** The files of a sandbox as its users have them: what the adapter does, and what can be made of that for all adapters. */
export function sandboxFiles(files: BackendFiles): SandboxFiles {
  return {
    write: (path, data) => files.write(path, data),
    read: (path) => files.read(path),
    readText: async (path) => new TextDecoder().decode(await files.read(path)),
    stream: (path) => files.stream(path),
    list: (path) => files.list(path),
    remove: (path) => files.remove(path),
    writeArchive: (archive, path = '.', limits = {}) => unpack(files, archive, path, limits),
    readArchive: (path = '.') => ReadableStream.from(pack(files, path)),
  }
}
