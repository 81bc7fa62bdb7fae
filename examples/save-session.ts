// A session is saved as JSON, and goes on elsewhere: the same transcript, so that prompt caches hold, and the same variables.
import { Agent, type SavedSession } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const model = scripted([
  '<execute>\nprices = {"tea": 3.5, "coffee": 2.0}\n</execute>',
  'I know the prices.',
  '<execute>\nprices["tea"] * 4\n</execute>',
  'Four teas are 14.00.',
])
const agent = new Agent({ model, parser: xml(), executor: local() })

async function monday(): Promise<string> {
  await using session = await agent.session()
  await session.run('Tea is 3.50, coffee 2.00.')
  return JSON.stringify(session.save())
}

async function tuesday(text: string): Promise<string> {
  const from = JSON.parse(text) as SavedSession
  console.log('Saved:', from.messages.length, 'messages,', from.cells.length, 'cell')
  await using session = await agent.session({ from, state: 'rebuild' })
  return (await session.run('What are four teas?')).answer
}

console.log(await tuesday(await monday()))
