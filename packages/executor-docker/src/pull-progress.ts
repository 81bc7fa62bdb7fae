import type { Progress } from '@codeact/spec'

/** A line of a pull, as Docker sends it. */
export interface PullLine {
  readonly status?: string
  /** Of the layer that it is about, where it is about one. */
  readonly id?: string
  readonly progressDetail?: { readonly current?: number; readonly total?: number }
  readonly error?: string
}

interface Layer {
  current: number
  total: number | undefined
  isDone: boolean
}

const MB = 1e6
const HERE = ['Pull complete', 'Already exists']
const DOWNLOADED = ['Download complete', 'Verifying Checksum', 'Extracting']
const IN_WORK = ['Pulling fs layer', 'Waiting', 'Downloading', ...DOWNLOADED, ...HERE]

/** Adds the lines of a pull up to how far it is. */
export class PullProgress {
  readonly #name: string
  readonly #layers = new Map<string, Layer>()
  #fraction = 0

  constructor(name: string) {
    this.#name = name
  }

  /** Whether the line is one to tell of at once: a layer is there. */
  add({ id, status = '', progressDetail }: PullLine): boolean {
    if (id === undefined || !IN_WORK.includes(status)) return false
    const layer = this.#layers.get(id) ?? { current: 0, total: undefined, isDone: false }
    this.#layers.set(id, layer)
    if (status === 'Downloading') {
      layer.total = progressDetail?.total ?? layer.total
      layer.current = progressDetail?.current ?? layer.current
    } else if (DOWNLOADED.includes(status) || HERE.includes(status)) {
      layer.total ??= 0
      layer.current = layer.total
    }
    layer.isDone ||= HERE.includes(status)
    return HERE.includes(status)
  }

  /** Of layers and bytes, as far as they are known; the fraction is of bytes, and comes once every layer's size is known. */
  get now(): Progress {
    const layers = [...this.#layers.values()]
    const done = layers.filter(({ isDone }) => isDone).length
    const current = sum(layers.map((layer) => layer.current))
    const total = sum(layers.map((layer) => layer.total ?? 0))
    const message = `Pulling the image ${this.#name}: ${done} of ${layers.length} layers, ${megabytes(current)} of ${megabytes(total)} MB`
    if (total === 0 || layers.some((layer) => layer.total === undefined)) return { message }
    this.#fraction = Math.max(this.#fraction, Math.min(1, current / total))
    return { message, fraction: this.#fraction }
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function megabytes(bytes: number): string {
  return bytes < 10 * MB ? (bytes / MB).toFixed(1) : String(Math.round(bytes / MB))
}
