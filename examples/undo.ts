// A task is taken back, step after step: what was said about it and what its code did to the variables. Files would stay.
import { Agent } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'
import type { LanguageModel } from '@codeact/spec'

const known = ['<execute>\nstock = {"tea": 7, "coffee": 2}\n</execute>', 'I know the stock.']
const all = ['<execute>\nstock.pop("tea")\nstock\n</execute>', 'All the tea is sold.']
const one = ['<execute>\nstock["tea"] -= 1\nstock\n</execute>', 'One tea is sold, and 6 are left.']
const model: LanguageModel = {
  id: 'scripted',
  stream: (request) => {
    const isExact = JSON.stringify(request.messages).includes('One of the teas')
    return scripted([...known, ...(isExact ? one : all)]).stream(request)
  },
}
const agent = new Agent({ model, parser: xml(), executor: local() })

await using session = await agent.session({ undo: true })
await session.run('We have 7 teas and 2 coffees.')
console.log((await session.run('Some tea is sold.')).answer)

// The answer goes first, then the step with the code; with the first step of a run goes its task.
let undone = await session.undo()
while (undone.task === undefined) undone = await session.undo()
console.log('Taken back:', undone.task, 'Back is:', undone.restored.join(', '))

const { answer, steps } = await session.run('One of the teas is sold.')
console.log(steps[0]?.observation?.text)
console.log(answer)
