// The system prompt is made of named parts: keep those that are wanted, and put others in the place of the rest.
import { Agent } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const agent = new Agent({
  model: scripted(['<execute>\n4 * 12.5\n</execute>', 'DONE: 50.00']),
  parser: xml(),
  executor: local(),
  instructions: 'Amounts have two decimals.',
  // Without `acting`, the model would not know how to write code.
  prompt: ({ acting, tools, instructions }) =>
    ['You are the clerk of a small shop.', acting, tools, 'End with a line: DONE: the amount', instructions]
      .filter((part) => part !== '')
      .join('\n\n'),
})

await using session = await agent.session()
const { answer } = await session.run('Four lamps at 12.50?')
console.log(session.messages[0]?.content)
console.log(answer)
