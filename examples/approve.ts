// Code is read before it runs: it is allowed, denied with a reason, or changed; the model is told.
import { Agent, type Review } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const model = scripted([
  '<execute>\nopen("notes.txt", "w").write("42")\nimport os; os.remove("notes.txt")\n</execute>',
  'Then without removing it.\n<execute>\nopen("notes.txt", "w").write("42")\n</execute>',
  '<execute>\nprint(open("notes.txt").read())\n</execute>',
  'The note says 42.',
])

// A person might be asked here.
const approve: Review = ({ code }) => {
  if (code.includes('os.remove')) return { deny: 'Nothing may be removed.' }
  if (code.includes('"w"')) return { edit: code.replace('"w"', '"a"'), because: 'Only append to files.' }
  return 'allow'
}

const agent = new Agent({ model, parser: xml(), executor: local(), approve })
const { answer, steps } = await agent.run('Note 42, and read it back.')
for (const { index, observation } of steps) console.log(index, observation?.text ?? answer)
