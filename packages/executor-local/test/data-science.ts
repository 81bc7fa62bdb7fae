import type { MimeBundle, Sandbox } from '@codeact/spec'
import { type Requirement, requirement } from '@codeact/testing'
import { execa } from 'execa'
import { afterEach } from 'vitest'
import { local } from '../src/index.ts'
import { bubblewrap } from './requirements.ts'

/** The system's, for which Debian packages the libraries. */
const PYTHON = '/usr/bin/python3'

const open: Sandbox[] = []

afterEach(() => Promise.all(open.splice(0).map((sandbox) => sandbox.close())))

/** A sandbox with the libraries, closed after the test. */
export async function openSandbox(): Promise<Sandbox> {
  const sandbox = await local({ python: PYTHON }).open()
  open.push(sandbox)
  return sandbox
}

/** A library that the system's Python has, and bubblewrap to run it in. */
export async function library(name: string): Promise<Requirement> {
  const found = await requirement(name, async () => {
    await execa(PYTHON, ['-I', '-c', `import ${name}`]).catch((cause) => {
      throw new Error(`${PYTHON} does not have it (apt-get install python3-${name})`, { cause })
    })
  })
  return found.isMet ? bubblewrap : found
}

export interface Png {
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

/** The picture of a bundle, held to its format: the signature, the header that tells the size, and the end. */
export function pngOf(bundle: MimeBundle | undefined): Png {
  const bytes = Buffer.from(bundle?.['image/png'] ?? '', 'base64')
  const marks = [
    bytes.subarray(0, 8).toString('latin1'),
    ...[12, -8].map((at) => bytes.subarray(at).toString('latin1', 0, 4)),
  ]
  if (marks.join() !== '\x89PNG\r\n\x1a\n,IHDR,IEND') throw new Error(`no PNG: ${JSON.stringify(bundle).slice(0, 200)}`)
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), bytes }
}
