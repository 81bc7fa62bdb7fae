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
  /**
   * Unpacks a tar, plain or compressed with gzip, into a folder, which is made where it is missing; the working directory by
   * default. Files that are there already are overwritten. Owners, times and permissions are not taken over: a program is made
   * executable by the code. Refused with a `CodeActError` that names the entry: names that lead out (`FILES_OUTSIDE`) or that
   * no file can have (`FILES_BAD_PATH`); links, devices, FIFOs and sparse files (`FILES_NOT_REGULAR`); a name that comes twice,
   * damage, a missing end (`FILES_BAD_ARCHIVE`); more than `limits` (`FILES_TOO_LARGE`). Given as bytes, the archive is checked
   * as a whole before anything is written; given as a stream, entries before the refused one stay, and the file that was being
   * written may be incomplete.
   */
  writeArchive(archive: Uint8Array | ReadableStream<Uint8Array>, path?: string, limits?: ArchiveLimits): Promise<void>
  /**
   * A file or a folder as a plain tar, read as the stream is; the working directory by default. Names are relative to `path`.
   * Links, and what is neither file nor folder, are left out. Fails with `FILES_CHANGED` when a file's size changes under it.
   */
  readArchive(path?: string): ReadableStream<Uint8Array>
}

/** What an archive may become. */
export interface ArchiveLimits {
  /** Files and folders, those included that only names imply. Default 100 000. */
  readonly maxEntries?: number
  /** Bytes of the uncompressed archive, headers included. Default 2 GiB. */
  readonly maxBytes?: number
}

export interface FileEntry {
  /** Relative to the working directory, with `/` between parts. */
  readonly path: string
  readonly type: 'file' | 'directory' | 'link' | 'other'
  /** Bytes; 0 for anything but a file. */
  readonly size: number
}
