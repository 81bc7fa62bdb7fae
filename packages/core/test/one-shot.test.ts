import { codeOnly, xml } from '@codeact/parsers'
import { describe, expect, it } from 'vitest'
import { python, scriptedAgent } from './support.ts'

describe.skipIf(!python.isMet)(`replies that are all code ${python.reason}`, () => {
  it('end with what the first one printed that ran well, without a word about stop rules', async () => {
    const replies = ['print(1 / 0)', 'x = 6 * 7', '```python\nprint(x)\n```', 'never']
    const { agent } = scriptedAgent(replies, { parser: codeOnly() })
    const { answer, stop, steps } = await agent.run('…')
    expect([answer, stop, steps.length]).toEqual(['42', 'answer', 3])
  })

  it('is not how other parsers end', async () => {
    const { agent } = scriptedAgent(['<execute>\nprint(1)\n</execute>', 'One.'], { parser: xml() })
    expect((await agent.run('…')).answer).toBe('One.')
  })
})
