// An answer of a given form: code gives it by final_answer(), and result.value has its type.
import { Agent } from '@codeact/core'
import { wasm } from '@codeact/executor-wasm'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'
import { z } from 'zod'

// What a model might say; in its place: openai('gpt-5'), anthropic('claude-sonnet-4-5'), …
const model = scripted([
  'The revenue first.\n<execute>\nrevenue = 3 * 12.5 + 4 * 9.0\nfinal_answer({"revenue": "much"})\n</execute>',
  'It must be a number.\n<execute>\nfinal_answer({"revenue": revenue, "best": "tea"})\n</execute>',
])

const agent = new Agent({
  model,
  parser: xml(),
  executor: wasm(),
  answer: z.object({ revenue: z.number(), best: z.enum(['tea', 'coffee']) }),
})

const { value, steps } = await agent.run('3 teas at 12.50 and 4 coffees at 9.00: what is the revenue, what sold best?')
console.log('The model was told:', steps[0]?.observation?.text.split('\n').at(-1))
console.log('Revenue:', value?.revenue.toFixed(2), 'best:', value?.best)
