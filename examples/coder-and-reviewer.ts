// Two agents solve a task together: one writes code, the other reads it before it runs and sends it back with remarks.
import { Agent } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const parser = xml()
const executor = local()

// Each review is a conversation of its own; this one looks at the code that it is shown.
const reviewer = new Agent({
  model: {
    id: 'reviewer',
    stream: (request) => {
      const asked = JSON.stringify(request.messages.at(-1))
      const isWrong = asked.includes('/ len(values) - 1')
      return scripted([isWrong ? 'Divide by (n - 1): the brackets are missing.' : 'ALLOW']).stream(request)
    },
  },
  parser,
  executor,
})

const coder = new Agent({
  model: scripted([
    '<execute>\nvalues = [4, 8, 6]\nm = sum(values) / 3\nsum((v - m) ** 2 for v in values) / len(values) - 1\n</execute>',
    'Right.\n<execute>\nvalues = [4, 8, 6]\nm = sum(values) / 3\nsum((v - m) ** 2 for v in values) / (len(values) - 1)\n</execute>',
    'The sample variance is 4.',
  ]),
  parser,
  executor,
  reviewer,
})

const { answer, steps, nested } = await coder.run('What is the sample variance of 4, 8 and 6?')
for (const { index, observation } of steps) console.log(index, observation?.text ?? answer)
console.log('reviews:', nested.map(({ stop, steps }) => `${stop} in ${steps} step`).join(', '))
