// An agent that another one calls from its code, as a function. Its run is seen inside the call, with usage of its own.
import { Agent } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const parser = xml()
const executor = local()

const counter = new Agent({
  model: scripted(['<execute>\nfinal_answer(sum(letter in "aeiou" for letter in "a house of vowels"))\n</execute>']),
  parser,
  executor,
  answer: { type: 'integer' },
})

const agent = new Agent({
  model: scripted([
    '<execute>\nn = count_vowels("How many are there in: a house of vowels")\nn * 2\n</execute>',
    'Twice seven.',
  ]),
  parser,
  executor,
  tools: [counter.asTool({ name: 'count_vowels', description: 'Counts the vowels of a text.' })],
})

const depths = new Map<string, number>()
const run = agent.run('Double the number of vowels.')
for await (const { type, id, parent } of run) {
  const depth = parent === undefined ? 0 : (depths.get(parent) ?? 0) + 1
  depths.set(id, depth)
  if (/^(run|step|execution|tool)-start$/.test(type)) console.log('  '.repeat(depth) + type.replace('-start', ''))
}
const { answer, nested } = await run
console.log(answer, nested.length)
