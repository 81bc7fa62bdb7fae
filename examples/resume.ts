// A run writes each event to a log; another process goes on from it. The variables are rebuilt, and no tool works twice.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, tool } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const order = tool({
  name: 'order',
  description: 'Orders something, and gives the number of the order.',
  parameters: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
  execute: ({ what }) => {
    console.log('ORDERED:', what)
    return 4711
  },
})

const model = scripted([
  '<execute>\nnumber = order("tea")\n</execute>',
  '<execute>\nprint(f"Order {number} is on its way.")\n</execute>',
  'Tea is ordered, as number 4711.',
])
const agent = (steps: number) =>
  new Agent({ model, parser: xml(), executor: local(), tools: [order], limits: { steps } })

const folder = await mkdtemp(join(tmpdir(), 'codeact-'))
const log = join(folder, 'order.jsonl')
const { stop } = await agent(1).run('Order some tea.', { log })
console.log('The first run ended:', stop)

// It may also have been killed: at most the step in flight is lost. `state: 'fresh'`, the default, runs nothing again.
const { answer, steps } = await agent(20).resume(log, { state: 'rebuild', log })
console.log(steps[0]?.observation?.text)
await rm(folder, { recursive: true })
console.log(answer)
