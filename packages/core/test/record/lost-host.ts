// A host that works on a task with a log, says when it is inside a tool of the second cell, and stays there.
import { Agent, tool } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const hang = tool({
  name: 'hang',
  description: 'Never ends.',
  parameters: { type: 'object', properties: {} },
  execute: () => {
    setTimeout(() => process.stdout.write('inside\n'), 100)
    return new Promise<never>(() => setInterval(() => {}, 1000))
  },
})

const model = scripted(['<execute>\nx = 1\nx\n</execute>', '<execute>\nx = 2\nhang()\n</execute>'])
const agent = new Agent({ model, parser: xml(), executor: local({ isolation: 'none' }), tools: [hang] })
await agent.run('Count.', { log: process.argv[2] })
