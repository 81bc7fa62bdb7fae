import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** The full path of a program on the PATH, if it is there. */
export async function findOnPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const file = join(folder, name)
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return file
  }
  return undefined
}
