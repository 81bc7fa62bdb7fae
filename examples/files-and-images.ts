// A task with files, which code finds in its working directory, with an image for the model, and with a context for tools.
import { Agent, tool } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const notify = tool({
  name: 'notify',
  description: 'Tells the user something.',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  execute: ({ text }, { context }) => {
    const { user } = context as { user: string }
    console.log(`To ${user}: ${text}`)
    return true
  },
})

const model = scripted([
  `<execute>
import csv
rows = list(csv.DictReader(open("sales.csv")))
total = sum(int(row["sold"]) for row in rows)
notify(f"{total} were sold.")
</execute>`,
  'Nine were sold; the logo is a dot.',
])

const agent = new Agent({ model, parser: xml(), executor: local(), tools: [notify] })
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const task = {
  text: 'How many were sold, and what is on the logo?',
  files: { 'sales.csv': 'what,sold\ntea,4\ncoffee,5\n' },
  images: [{ mediaType: 'image/png', data: dot }],
}
console.log((await agent.run(task, { context: { user: 'Ada' } })).answer)
