import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxFiles } from '@codeact/spec'
import { onTestFinished } from 'vitest'
import { sandboxFiles } from '../src/files/sandbox-files.ts'
import { hostFolderFiles } from '../src/index.ts'

/** A folder for one test, with a folder in it that is a sandbox's. */
export async function newFolder(): Promise<{
  readonly outer: string
  readonly root: string
  readonly files: SandboxFiles
}> {
  const outer = await mkdtemp(join(tmpdir(), 'codeact-archives-'))
  onTestFinished(() => rm(outer, { recursive: true }))
  const root = join(outer, 'root')
  await mkdir(root)
  return { outer, root, files: sandboxFiles(hostFolderFiles(root)) }
}

/** Every path below a folder, sorted; folders end in `/`. */
export async function tree(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .map((entry) => `${join(entry.parentPath, entry.name).slice(folder.length + 1)}${entry.isDirectory() ? '/' : ''}`)
    .sort()
}

/** As a stream in pieces of `size` bytes, which tells whether anybody still waits for the rest of it. */
export function inPieces(
  bytes: Uint8Array,
  size: number,
): { stream: ReadableStream<Uint8Array>; isOver: () => boolean } {
  let at = 0
  let isOver = false
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at >= bytes.length) {
          isOver = true
          return controller.close()
        }
        controller.enqueue(bytes.subarray(at, at + size))
        at += size
      },
      cancel() {
        isOver = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, isOver: () => isOver }
}
