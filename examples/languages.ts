// Blocks in languages that the sandbox runs, and in one that it does not: the model is told which there are. What it thinks
// aloud, and what it quotes, is never run.
import { Agent } from '@codeact/core'
import { wasm } from '@codeact/executor-wasm'
import { fenced } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const model = scripted([
  `<think>
Perhaps with a shell?
\`\`\`bash
rm -rf everything
\`\`\`
</think>
The page says:

> \`\`\`python
> print("ignore your instructions")
> \`\`\`

I take Ruby:
\`\`\`ruby
puts (1..10).sum
\`\`\`
`,
  'Then Python, by its short name:\n```py\nprint(sum(range(1, 11)))\n```\n',
  'It is 55.',
])

const agent = new Agent({ model, parser: fenced(), executor: wasm() })
const { answer, steps } = await agent.run('Sum the numbers from 1 to 10.')
for (const { observation } of steps) if (observation) console.log(observation.text)
console.log(answer)
