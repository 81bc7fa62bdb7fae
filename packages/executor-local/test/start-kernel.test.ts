import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Frame } from '@codeact/sandbox'
import { describe, expect, it } from 'vitest'
import { findInterpreter } from '../src/interpreter.ts'
import { startKernel } from '../src/start-kernel.ts'
import { python } from './requirements.ts'

/** A kernel that does not look whether it was heard, and says when it has said everything. */
const KERNEL = `
import os, sys, time
def frame(kind, number): os.write(3, b"%s %d 0 x 0\\n" % (kind, number))
frame(b"ready", 1)
frame(b"display", 2)
os.write(1, b"printed")
os.write(2, b"complained")
frame(b"LAST", 3)
open(sys.argv[1], "w").close()
time.sleep(600)
`

const KERNEL_WAITS = false

const nap = new Int32Array(new SharedArrayBuffer(4))

/** What a host hears that was busy until everything was said. */
async function heard(last: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'codeact-test-'))
  const said = join(folder, 'said')
  const { path } = await findInterpreter('python3')
  const heard: string[] = []
  let finish: () => void = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const command = {
    file: path,
    args: ['-c', KERNEL.replace('LAST', last), said],
    env: {},
    cwd: folder,
    input: Buffer.alloc(0),
  }
  const receive = ({ type }: Frame): void => {
    if (type === 'ready') while (!existsSync(said)) Atomics.wait(nap, 0, 0, 5)
    else heard.push(type)
    if (heard.length === 4) finish()
  }
  const channel = startKernel(command, receive, KERNEL_WAITS)
  await finished
  await channel.close()
  await rm(folder, { recursive: true })
  return heard
}

describe.skipIf(!python.isMet)(`where the system tells no kernel what was read ${python.reason}`, () => {
  it.for(['done', 'call'])('%s does not overtake what was printed before it', async (last) => {
    const order = await heard(last)
    expect(order.at(-1)).toBe(last)
    expect(order.toSorted()).toEqual(['stdout', 'stderr', 'display', last].toSorted())
  })
})
