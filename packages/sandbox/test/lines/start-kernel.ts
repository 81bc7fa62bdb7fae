import { spawn } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type Channel, type ChannelEnd, type Frame, FramePort } from '../../src/index.ts'
import { MARK } from './leftovers.ts'

const KERNEL = fileURLToPath(new URL('kernel.mjs', import.meta.url))

/** The least that an adapter does: a process in a group of its own, frames on 3, interrupts on 4. */
export function startKernel(language: string, cwd: string, receive: (frame: Frame) => void): Channel {
  const child = spawn(process.execPath, [KERNEL, language], {
    cwd,
    env: { PATH: process.env.PATH, MARK },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
    detached: true,
  })
  const [, , , frames, interrupts] = child.stdio as unknown as [null, null, null, Duplex, Duplex]
  const port = new FramePort((bytes) => frames.write(bytes), receive)
  frames.on('data', (bytes: Uint8Array) => port.feed(bytes))
  // Writing to a process that has just ended fails; that it has ended is told by `closed`.
  for (const stream of [frames, interrupts]) stream.on('error', () => {})

  let wasClosed = false
  const closed = new Promise<ChannelEnd>((resolve) => {
    child.once('close', (code, signal) => {
      if (wasClosed) resolve({ reason: 'closed', detail: 'it was closed' })
      else if (signal !== null) resolve({ reason: 'signal', detail: signal })
      else resolve({ reason: 'exit', detail: `exit code ${code}` })
    })
  })
  const kill = (): void => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL')
    } catch {
      // The whole group is gone already.
    }
  }
  return {
    send: (frame) => port.send(frame),
    signal: (how, cell) => (how === 'interrupt' ? void interrupts.write(`${cell}\n`) : kill()),
    closed,
    async close() {
      wasClosed = true
      kill()
      await closed
    },
  }
}
