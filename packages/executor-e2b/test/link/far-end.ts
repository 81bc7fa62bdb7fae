import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChannelEnd, pythonLinkStart } from '@codeact/sandbox'
import type { Attachment, Connection } from '../../src/link/connection.ts'

/** A real supervisor behind a real link, as a child of this process; the connection to it does what a test wants. */
export class FarEnd implements Connection {
  attached = 0
  /** What comes is not heard any more, by the streams that there are. */
  isSilent = false
  /** What is sent goes nowhere, and nobody is told. */
  isDeaf = false
  readonly sent: string[] = []
  readonly #folder = mkdtempSync(join(tmpdir(), 'codeact-link-'))
  readonly #listeners = new Set<(text: string) => void>()
  #child: ChildProcess | undefined

  async start(): Promise<void> {
    const { arguments: args, input } = pythonLinkStart(this.#folder)
    await writeFile(join(this.#folder, 'modules'), input)
    this.#child = spawn('python3', args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child.stdout?.setEncoding('latin1').on('data', (text: string) => {
      for (const listener of this.#listeners) listener(text)
    })
  }

  async attach(receive: (text: string) => void): Promise<Attachment> {
    this.attached += 1
    this.isSilent = false
    const listener = (text: string): void => {
      if (!this.isSilent) receive(text)
    }
    this.#listeners.add(listener)
    return { ended: new Promise(() => {}), detach: () => void this.#listeners.delete(listener) }
  }

  async send(text: string): Promise<void> {
    this.sent.push(text)
    if (!this.isDeaf) this.#child?.stdin?.write(text)
  }

  async writeFile(name: string, bytes: Uint8Array): Promise<void> {
    await writeFile(join(this.#folder, name), bytes)
  }

  readFile(name: string): Promise<Uint8Array> {
    return readFile(join(this.#folder, name))
  }

  async judge(): Promise<ChannelEnd | undefined> {
    return undefined
  }

  async close(): Promise<void> {
    const end = this.#child === undefined ? undefined : once(this.#child, 'close')
    this.#child?.stdin?.end()
    await end
    await rm(this.#folder, { recursive: true, force: true })
  }
}
