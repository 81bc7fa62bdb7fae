// What a run may take. At a limit it ends with what it has, says which limit it was, and the session can go on.
import { Agent } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const usage = { inputTokens: 40_000, outputTokens: 1_000 }
const say = (message: string) => ({ message, usage })
const model = scripted([
  say('<execute>\nprimes = [n for n in range(2, 60) if all(n % d for d in range(2, n))]\n</execute>'),
  say('<execute>\nlen(primes)\n</execute>'),
  say('There are 17 primes below 60.'),
])

const agent = new Agent({
  model,
  parser: xml(),
  executor: local(),
  limits: { steps: 10, tokens: 500_000, cost: 0.1, toolCalls: 50, wallTimeMs: 60_000 },
  prices: { scripted: { input: 1.25, output: 10 } },
})

await using session = await agent.session()
const first = await session.run('How many primes are there below 60?')
console.log('Stopped by', first.stop, first.limit?.name, 'at', first.limit?.used.toFixed(2), 'dollars')
const second = await session.run('Go on.')
console.log(second.stop, '-', second.answer)
