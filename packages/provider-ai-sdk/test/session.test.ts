import { Agent } from '@codeact/core'
import { wasm } from '@codeact/executor-wasm'
import { xml } from '@codeact/parsers'
import { describeFourTasks, type Turn } from '@codeact/testing'
import { afterAll } from 'vitest'
import { subjects } from './subjects.ts'

const executor = wasm()
afterAll(() => executor.close())

for (const subject of subjects) {
  describeFourTasks({
    subject,
    createAgent: (model, tools) => new Agent({ model, tools, parser: xml(), executor }),
    body: (before, system) => ({
      model: 'm',
      messages: [{ role: 'system', content: system }, ...before.map(message)],
      stream: true,
      stream_options: { include_usage: true },
    }),
  })
}

function message({ who, text }: Turn): object {
  if (who !== 'reply') return { role: 'user', content: text }
  return { role: 'assistant', content: text, reasoning_content: 'Hm.' }
}
