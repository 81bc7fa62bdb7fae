// A cell that no signal reaches: it is killed, what was there before it is back, and the model is told so.
import { Agent } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const model = scripted([
  '<execute>\nlimits = [10 ** 12]\nlen(limits)\n</execute>',
  '<execute>\nsum(range(limits.pop()))\n</execute>',
  'That takes hours. The limit is back, so by the formula:\n<execute>\nn = limits.pop()\nn * (n - 1) // 2\n</execute>',
  'It is 499999999999500000000000.',
])

const agent = new Agent({ model, parser: xml(), executor: local({ timeoutMs: 1000 }) })
const { answer, steps } = await agent.run('What is the sum of all whole numbers below a million millions?')
for (const { observation } of steps) if (observation) console.log(observation.text)
console.log(answer, steps.map(({ executions }) => executions[0]?.state ?? '').join(' '))
