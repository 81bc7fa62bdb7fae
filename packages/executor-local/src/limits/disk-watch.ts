import { statfs } from 'node:fs/promises'
import { diskUse } from './disk-use.ts'

/** Between two counts pass so many times what the last one took: where there may be too much now, and where nothing says so. */
const SOON = 2
const LATE = 20

/** Folders that may hold so many bytes together: growth beyond that is a breach, what is there without it is not. */
export class DiskWatch {
  readonly #folders: readonly string[]
  readonly #most: number
  /** What it may hold for now, where that is more. */
  #forgiven = 0
  #forgives = false
  #writers = 0
  #last = { used: 0, free: 0, at: 0, took: 0 }

  constructor(folders: readonly string[], most: number) {
    this.#folders = folders
    this.#most = most
  }

  /** However much is there when it is counted next is no breach. */
  forgive(): void {
    this.#forgives = true
  }

  async forgivingly<T>(work: () => Promise<T>): Promise<T> {
    this.#writers += 1
    try {
      return await work()
    } finally {
      this.#writers -= 1
      this.#forgives = true
    }
  }

  async isKept(): Promise<boolean> {
    const free = await freeBytes(this.#folders[0] ?? '/')
    if (!this.#isDue(free)) return true
    const wasForgiving = this.#isForgiving
    this.#forgives = false
    const used = await this.#count(free)
    const most = Math.max(this.#most, wasForgiving || this.#isForgiving ? used : this.#forgiven)
    this.#forgiven = Math.min(used, most)
    return used <= most
  }

  /** To count many files takes long; how much room the whole disk has does not. */
  #isDue(free: number): boolean {
    const { used, free: before, at, took } = this.#last
    const room = Math.max(this.#most, this.#forgiven) - used
    const isSuspicious = this.#isForgiving || before - free >= room
    return performance.now() - at >= took * (isSuspicious ? SOON : LATE)
  }

  async #count(free: number): Promise<number> {
    const before = performance.now()
    const used = await diskUse(this.#folders)
    const at = performance.now()
    this.#last = { used, free, at, took: at - before }
    return used
  }

  get #isForgiving(): boolean {
    return this.#forgives || this.#writers > 0
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bfree, bsize } = await statfs(folder).catch(() => ({ bfree: 0, bsize: 0 }))
  return bfree * bsize
}
