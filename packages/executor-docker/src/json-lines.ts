/** No line of Docker's is nearly as long. */
const MOST_CHARACTERS = 1024 * 1024

/** The objects of a stream that has one a line, as they come. Throws at a line that is none, or has no end. */
export async function* jsonLines(stream: NodeJS.ReadableStream): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes as unknown as Uint8Array, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MOST_CHARACTERS) throw new Error('Docker sent a line that has no end')
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line)
  }
  if (rest.trim() !== '') yield JSON.parse(rest)
}
