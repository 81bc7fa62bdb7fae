// A run over HTTP: its events reach the browser as they happen. A client that connects again goes on where it was.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Agent } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const model = scripted(['<execute>\nprint("".join(reversed("stressed")))\n</execute>', 'It is desserts.'])
const agent = new Agent({ model, parser: xml(), executor: local() })
const run = agent.run('What is "stressed" backwards?')

const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/event-stream')
  const after = Number(request.headers['last-event-id'] ?? -1)
  Readable.fromWeb(run.toEventStream({ after }) as ReadableStream).pipe(response)
})
await once(server.listen(0, '127.0.0.1'), 'listening')

// In a browser: new EventSource(url), whose onmessage gets each event.
const { port } = server.address() as AddressInfo
const text = await (await fetch(`http://127.0.0.1:${port}`)).text()
for (const [, line = ''] of text.matchAll(/^data: (.*)$/gm)) {
  const event = JSON.parse(line)
  if (event.type === 'stdout-delta') console.log('The code printed:', event.text.trim())
  if (event.type === 'run-end') console.log(event.answer)
}
server.close()
