// A transcript that grows too long is made shorter, which is said as an event; what was left out stays readable by code.
import { Agent, dropOldObservations } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const look = (page: number) => `<execute>\npage${page} = "row ${page} " * 300\nprint(page${page})\n</execute>`
const model = scripted([1, 2, 3, 4, 5, 6].map(look).concat('I have read six pages.'))

const agent = new Agent({
  model,
  parser: xml(),
  executor: local(),
  observationTokens: 400,
  memory: dropOldObservations({ over: 2000, keep: 2 }),
})

const run = agent.run('Read all the pages.')
for await (const event of run) {
  if (event.type !== 'compaction') continue
  console.log(`Compacted by ${event.memory}: about ${event.before} tokens before, ${event.after} after.`)
  for (const { content } of event.messages) {
    const text =
      typeof content === 'string' ? '' : content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    if (text.includes('.codeact/')) console.log(text)
  }
}
console.log((await run).answer)
