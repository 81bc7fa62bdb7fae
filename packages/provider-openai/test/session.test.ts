import { Agent } from '@codeact/core'
import { wasm } from '@codeact/executor-wasm'
import { xml } from '@codeact/parsers'
import { describeFourTasks, type FourTaskSuite, type Turn } from '@codeact/testing'
import { afterAll, expect } from 'vitest'
import { reasoningItem } from './responses/events.ts'
import { chatSubject, responsesSubject } from './subjects.ts'

const executor = wasm()
afterAll(() => executor.close())

const createAgent: FourTaskSuite['createAgent'] = (model, tools) => new Agent({ model, tools, parser: xml(), executor })
const message = ({ who, text }: Turn) => ({ role: who === 'reply' ? 'assistant' : 'user', content: text })

describeFourTasks({
  subject: chatSubject,
  createAgent,
  body: (before, system) => ({
    model: 'm',
    messages: [{ role: 'system', content: system }, ...before.map(message)],
    stream: true,
    stream_options: { include_usage: true },
  }),
})

const thought = reasoningItem(0, ['Hm.'], 'gAAA-whole')

describeFourTasks({
  subject: responsesSubject,
  createAgent,
  body: (before, system) => ({
    model: 'm',
    prompt_cache_key: expect.stringMatching(/^\w{32}$/),
    instructions: system,
    input: before.flatMap((turn) => [...(turn.who === 'reply' ? [thought] : []), message(turn)]),
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: true,
  }),
})
