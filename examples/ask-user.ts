// Code asks the user, and waits: the clock of its cell stands still. The user says something too, while the run goes on.
import { Agent } from '@codeact/core'
import { wasm } from '@codeact/executor-wasm'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const model = scripted([
  '<execute>\ncity = ask_user("Which city?")\nprint(f"A table in {city}, for 2")\n</execute>',
  'There is a table in Turin, for 2.',
  '<execute>\nprint(f"A table in {city}, for 3")\n</execute>',
  'There is a table in Turin, for 3.',
])

const agent = new Agent({
  model,
  parser: xml(),
  executor: wasm(),
  onAskUser: async (question) => {
    console.log('The code asks:', question)
    return 'Turin'
  },
})

await using session = await agent.session()
const run = session.run('Find a table for two.')
for await (const event of run) {
  if (event.type === 'observation') console.log(event.observation.text)
  // The answer that is under way then does not end the run.
  if (event.type === 'step-start' && event.index === 2) session.send('We are three!')
}
console.log((await run).answer)
