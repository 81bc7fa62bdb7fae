// The same loop over native tool calls: code comes as a call, beside a tool that the model may call itself.
import { Agent, tool } from '@codeact/core'
import { wasm } from '@codeact/executor-wasm'
import { toolCall } from '@codeact/parsers'
import type { AssistantMessage, LanguageModel } from '@codeact/spec'

const price = tool({
  name: 'price',
  description: 'The price of something.',
  parameters: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
  returns: { type: 'number' },
  execute: ({ of }) => (of === 'tea' ? 3.5 : 4.25),
})

// What a model with native calls might do. In its place: openai('gpt-5'), anthropic('claude-sonnet-4-5'), …
const calls = [
  { name: 'price', input: { of: 'tea' } },
  { name: 'execute_code', input: { code: 'total = 3 * 3.5 + 2 * price("coffee")\nround(total, 2)' } },
]
const model: LanguageModel = {
  id: 'written:down',
  async *stream({ messages }) {
    const call = calls[messages.filter(({ role }) => role === 'assistant').length]
    const said = call && { callId: `call_${call.name}`, name: call.name, json: JSON.stringify(call.input) }
    const content = said ? [{ type: 'tool-call' as const, ...said }] : [{ type: 'text' as const, text: 'It is 19.00.' }]
    if (said) yield { type: 'tool-call-start', ...said }
    if (said) yield { type: 'tool-call-delta', ...said }
    if (said) yield { type: 'tool-call-end', callId: said.callId }
    else yield { type: 'text-delta', text: 'It is 19.00.' }
    const message: AssistantMessage = { role: 'assistant', content }
    yield { type: 'end', message, finish: said ? 'tool-calls' : 'stop', usage: { inputTokens: 1, outputTokens: 1 } }
  },
}

const agent = new Agent({ model, parser: toolCall({ direct: 'all' }), executor: wasm(), tools: [price] })
const { answer, steps } = await agent.run('3 teas and 2 coffees?')
for (const { actions, observation } of steps)
  console.log(actions[0]?.type ?? 'answer', '->', observation?.text ?? answer)
