/** The files of a sandbox, by path relative to its working directory. No path and no link leads out of it. */
export interface SandboxFiles {
  /** Writes a whole file, making its folders. */
  write(path: string, data: string | Uint8Array | ReadableStream<Uint8Array>): Promise<void>
  read(path: string): Promise<Uint8Array>
  /** As `read`, decoded as UTF-8. */
  readText(path: string): Promise<string>
  stream(path: string): ReadableStream<Uint8Array>
  /** The entries of one folder, sorted by name; the working directory by default. */
  list(path?: string): Promise<readonly FileEntry[]>
  /** Removes a file, or a folder and all in it. */
  remove(path: string): Promise<void>
}

export interface FileEntry {
  /** Relative to the working directory, with `/` between parts. */
  readonly path: string
  readonly type: 'file' | 'directory' | 'link' | 'other'
  /** Bytes; 0 for anything but a file. */
  readonly size: number
}
