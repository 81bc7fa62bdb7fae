import type { Duplex } from 'node:stream'
import Docker from 'dockerode'
import { command, LIMITS } from './docker-engine.ts'
import { DRIVER, Echo } from './echo.ts'

const HEADER_BYTES = 8

/** The echo in a container, over the stream that Docker attaches to it. The container goes when the stream does. */
export async function containerEcho(image: string, driver = DRIVER): Promise<Echo> {
  const id = await command('create', '--interactive', ...LIMITS, image, 'python3', '-I', '-S', '-c', driver)
  const container = new Docker().getContainer(id)
  const attached = { stream: true, stdin: true, stdout: true, stderr: true, hijack: true }
  const stream: Duplex = (await container.attach(attached)) as Duplex
  await container.start()
  return new Echo({
    write: (text) => stream.write(text),
    onText: (listen) => unwrap(stream, listen),
    close: async () => {
      const gone = container.wait({ condition: 'removed' })
      stream.end()
      await gone
    },
  })
}

/** Docker puts eight bytes before each piece of output; the last four are its length. */
function unwrap(stream: Duplex, listen: (text: string) => void): void {
  let rest: Buffer = Buffer.alloc(0)
  stream.on('data', (bytes: Buffer) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    while (rest.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + rest.readUInt32BE(4)
      if (rest.length < end) return
      listen(rest.toString('utf8', HEADER_BYTES, end))
      rest = rest.subarray(end)
    }
  })
}
