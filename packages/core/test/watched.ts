import type { Executor, OpenOptions, Sandbox } from '@codeact/spec'

/** An executor of which it is known what is open: its sandboxes, and their forks. */
export interface Watched extends Executor {
  readonly boxes: ReadonlySet<Sandbox>
  /** The checkpoints that were taken of all of them. */
  readonly checkpoints: readonly string[]
}

export function watched(inner: Executor): Watched {
  const boxes = new Set<Sandbox>()
  const checkpoints: string[] = []

  function watch(box: Sandbox): Sandbox {
    const { close, fork, checkpoint } = box
    boxes.add(box)
    return Object.assign(box, {
      close: () => close.call(box).finally(() => boxes.delete(box)),
      fork: async () => watch((await fork?.call(box)) as Sandbox),
      checkpoint: async () => {
        const id = (await checkpoint?.call(box)) as string
        checkpoints.push(id)
        return id
      },
    })
  }

  const open = async (options?: OpenOptions): Promise<Sandbox> => watch(await inner.open(options))
  return { ...inner, boxes, checkpoints, open }
}
