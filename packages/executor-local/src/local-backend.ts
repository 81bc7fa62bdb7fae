import {
  type Backend,
  type BackendFiles,
  busyBySome,
  type Channel,
  type ChannelEnd,
  type ForkRequest,
  type Frame,
  hostFolderFiles,
  Shared,
} from '@codeact/sandbox'
import type { Capabilities } from '@codeact/spec'
import { forkKernel, type Origin } from './fork.ts'
import type { Isolation, Place } from './isolation.ts'
import type { Guard } from './limits/guard.ts'
import { type KernelProcess, startKernel } from './start-kernel.ts'
import type { Workspace } from './workspace.ts'

export interface LocalBackendParts {
  readonly isolation: Isolation
  readonly place: Place
  readonly workspace: Workspace
  readonly guard: Guard
  readonly capabilities: Capabilities
  readonly checkpointBytes: number | undefined
}

/** A workspace on this machine, kernels in it one after the other, and their forks; all within one set of limits. */
export class LocalBackend implements Backend {
  readonly capabilities: Capabilities
  readonly files: BackendFiles
  readonly setBusy: (isBusy: boolean) => void
  readonly #parts: LocalBackendParts
  /** The workspace and what keeps the limits, by this sandbox and its forks. */
  readonly #hold: Shared
  #kernel: KernelProcess | undefined

  constructor(parts: LocalBackendParts) {
    const { workspace, guard, capabilities } = parts
    this.#parts = parts
    this.capabilities = capabilities
    const files = hostFolderFiles(workspace.path)
    this.files = { ...files, write: (path, data) => guard.whileHostWrites(() => files.write(path, data)) }
    this.setBusy = busyBySome((isBusy) => guard.setBusy(isBusy))
    this.#hold = new Shared(async () => {
      await guard.close()
      await workspace.remove()
    })
  }

  async connect(_language: string, receive: (frame: Frame) => void): Promise<Channel> {
    const { isolation, place, guard } = this.#parts
    const command = { ...isolation.command(place), explain: (end: ChannelEnd) => guard.explain(end) }
    const hear = (frame: Frame): void => void (guard.passes(frame) && receive(frame))
    const kernel = guard.withOpenDoors((doors) => startKernel({ ...command, doors }, hear))
    this.#kernel = kernel
    await begin(kernel, guard)
    return kernel
  }

  setIdle(isIdle: boolean): void {
    this.#kernel?.setIdle(isIdle)
  }

  fork(ask: (request: ForkRequest) => Promise<void>): Promise<Backend> {
    // It begins with a copy of the working directory.
    return this.#parts.guard.whileHostWrites(() => forkKernel(this.#origin(), ask))
  }

  close(): Promise<void> {
    return this.#hold.release()
  }

  #origin(): Origin {
    const { isolation, place, workspace, guard, capabilities, checkpointBytes } = this.#parts
    return {
      hold: () => this.#keep(),
      forks: { onHost: workspace.forks, inside: isolation.forks ?? workspace.forks },
      capabilities,
      checkpointBytes,
      start: place.interpreter.startOfFork(),
      explain: (end) => guard.explainFork(end),
      setBusy: (isBusy) => {
        if (isBusy) guard.expectFork()
        this.setBusy(isBusy)
      },
    }
  }

  #keep(): () => Promise<void> {
    const { guard } = this.#parts
    const holds = [this.#kernel?.hold, this.#hold]
    guard.beginFork()
    for (const hold of holds) hold?.hold()
    return async () => {
      guard.endFork()
      for (const hold of holds) await hold?.release()
    }
  }
}

/** Nothing runs without its limits. */
async function begin(kernel: KernelProcess, guard: Guard): Promise<void> {
  try {
    await guard.admit(kernel)
    kernel.begin()
  } catch (error) {
    await kernel.close()
    throw error
  }
}
