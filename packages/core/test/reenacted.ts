import {
  CodeActError,
  type ExecuteOptions,
  type Execution,
  type Executor,
  newId,
  type OpenOptions,
  type Rollback,
  type Sandbox,
} from '@codeact/spec'

type Cell = readonly [code: string, language: string | undefined]

/** Sandboxes of another executor that can go back and be forked: all cells so far are run again in a new one, with its files. */
export function reenacted(inner: Executor): Executor & { readonly boxes: ReadonlySet<Reenacted> } {
  const boxes = new Set<Reenacted>()
  const open = async (options: OpenOptions = {}): Promise<Sandbox> =>
    new Reenacted(await inner.open(options), () => inner.open(options), boxes)
  const close = () => inner.close()
  return { name: inner.name, languages: inner.languages, boxes, open, close, [Symbol.asyncDispose]: close }
}

const MOST = 8

export class Reenacted implements Sandbox {
  readonly id = newId('box')
  #inner: Sandbox
  readonly #another: () => Promise<Sandbox>
  readonly #open: Set<Reenacted>
  #cells: Cell[]
  #checkpoints: { readonly id: string; readonly cells: readonly Cell[] }[] = []
  #turn: Promise<unknown> = Promise.resolve()

  constructor(inner: Sandbox, another: () => Promise<Sandbox>, open: Set<Reenacted>, cells: readonly Cell[] = []) {
    this.#inner = inner
    this.#another = another
    this.#open = open
    this.#cells = [...cells]
    open.add(this)
  }

  get capabilities() {
    return this.#inner.capabilities
  }

  get files() {
    return this.#inner.files
  }

  execute(code: string, options?: ExecuteOptions) {
    const cell = this.#inner.execute(code, options)
    this.#turn = cell.then(
      ({ status }: Execution) => status === 'ok' && this.#cells.push([code, options?.language]),
      () => {},
    )
    return cell
  }

  inspect(language?: string) {
    return this.#inner.inspect?.(language) ?? Promise.resolve([])
  }

  async checkpoint(): Promise<string> {
    await this.#turn
    const id = newId('checkpoint')
    this.#checkpoints = [...this.#checkpoints, { id, cells: [...this.#cells] }].slice(-MOST)
    return id
  }

  async restore(id: string): Promise<Rollback> {
    await this.#turn
    const cells = this.#checkpoints.find((one) => one.id === id)?.cells
    if (cells === undefined) throw new CodeActError('CHECKPOINT_GONE', `There is no checkpoint ${id}.`)
    const before = this.#inner
    this.#inner = await this.#replay(cells)
    this.#cells = [...cells]
    await before.close()
    return { restored: (await this.inspect()).map(({ name }) => name), lost: [] }
  }

  async fork(): Promise<Sandbox> {
    await this.#turn
    return new Reenacted(await this.#replay(this.#cells), this.#another, this.#open, this.#cells)
  }

  async close(): Promise<void> {
    await this.#inner.close()
    this.#open.delete(this)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #replay(cells: readonly Cell[]): Promise<Sandbox> {
    const twin = await this.#another()
    for (const [code, language] of cells) await twin.execute(code, { language })
    await twin.files.writeArchive(this.#inner.files.readArchive())
    return twin
  }
}
