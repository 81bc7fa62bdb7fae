// A cell that hangs and takes no signal: it is killed, what was there before it is back, and the model is told so.
import { Agent } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const model = scripted([
  '<execute>\nweights = [n * n for n in range(1, 6)]\nsum(weights)\n</execute>',
  `<execute>
import signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
weights.clear()
while True: time.sleep(1)
</execute>`,
  'The weights are back, so without the wait:\n<execute>\nmax(weights) / sum(weights)\n</execute>',
  'The heaviest has 45 % of the weight.',
])

const agent = new Agent({ model, parser: xml(), executor: local({ timeoutMs: 1000 }) })
const { answer, steps } = await agent.run('How much of the weight has the heaviest?')
for (const { observation } of steps) if (observation) console.log(observation.text)
console.log(answer)
