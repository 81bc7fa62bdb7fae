import { newId, type Sandbox } from '@codeact/spec'

/** Puts a text where code can read it; undefined where it cannot be written (a full disk, say): then nobody is sent there. */
export async function keepText({ files }: Sandbox, text: string): Promise<string | undefined> {
  const path = `.codeact/${newId('output')}.txt`
  try {
    await files.write(path, text)
    return path
  } catch {
    return undefined
  }
}
