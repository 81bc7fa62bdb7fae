// A log is a recording: its replies are played again without a key, its code really runs, and a difference is said.
import { Agent } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { replay, scripted } from '@codeact/provider-replay'
import { CodeActError, type CodeActEvent, type LanguageModel } from '@codeact/spec'

const model = scripted(['<execute>\nlen(open("names.txt").readlines())\n</execute>', 'There are two names.'])
const agent = (speaker: LanguageModel) => new Agent({ model: speaker, parser: xml(), executor: local() })

const log: CodeActEvent[] = []
const files = { 'names.txt': 'Ada\nGrace\n' }
await agent(model).run({ text: 'How many names?', files }, { log: (event) => log.push(event) })

const { answer } = await agent(replay(log)).run({ text: 'How many names?', files })
console.log('The same again:', answer)

try {
  await agent(replay(log)).run({ text: 'How many names?', files: { 'names.txt': 'Ada\n' } })
} catch (error) {
  if (CodeActError.is(error)) console.log(`${error.code}: ${error.message}`)
}
