// A report that is written by code: the fences inside its string end no block, and a block that is cut off is not lost.
import { Agent } from '@codeact/core'
import { wasm } from '@codeact/executor-wasm'
import { fenced } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const model = scripted([
  `The report, with an example in it:
\`\`\`python
report = """# Sorting

\`\`\`python
sorted([3, 1, 2])
\`\`\`
"""
open("report.md", "w").write(report)
print(report.count("\`\`\`"), "fences in", len(report.splitlines()), "lines")
\`\`\`
`,
  // The model ends without closing the block: what is there of it is run, and the model is told.
  'Now without the fences:\n```python\nprint(report.replace("```python", "").replace("```", "").split())\n',
  'The report is in report.md.',
])

const agent = new Agent({ model, parser: fenced(), executor: wasm() })
const { answer, steps } = await agent.run('Write a report on sorting, with an example.')
for (const { observation } of steps) if (observation) console.log(observation.text)
console.log(answer)
