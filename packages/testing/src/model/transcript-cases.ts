import type { ImagePart, Message, ModelRequest, ToolMessage } from '@codeact/spec'
import { expect } from 'vitest'
import type { Heard, HeardItem, Said } from './dialect.ts'
import { drain, endOf, task } from './hear.ts'
import type { Subject } from './subject.ts'

const IMAGE: ImagePart = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' }
const SYSTEM: Message = { role: 'system', content: 'You write code.' }
const CALL = { call: 'call_a', name: 'python', json: ['{"code":', '"1 + 1"}'] }
const RESULT: ToolMessage = { role: 'tool', callId: 'call_a', content: [{ type: 'text', text: '2' }] }
const TOOL = {
  name: 'python',
  description: 'Runs code.',
  parameters: { type: 'object', properties: { code: { type: 'string' } } },
}

const reply = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] })
const seen = (...content: Extract<Message, { role: 'user' }>['content']): Message => ({
  role: 'user',
  kind: 'observation',
  content,
})

export function transcriptCases(subject: Subject): void {
  subject.group('a transcript', (it) => {
    it('is heard with its system prompt, in its order, and with nothing added', async () => {
      const messages = [SYSTEM, task('Plot it.'), reply('<execute>\n1\n</execute>'), seen({ type: 'text', text: '1' })]
      expect(await heard({ messages })).toEqual({
        said: [
          { role: 'system', text: 'You write code.' },
          { role: 'user', text: 'Plot it.' },
          { role: 'assistant', text: '<execute>\n1\n</execute>' },
          { role: 'user', text: '1' },
        ],
        tools: [],
        stop: [],
      })
    })

    it('shows its images, in their places', async () => {
      const { said } = await heard({
        messages: [task('Plot it.'), reply('So:'), seen({ type: 'text', text: 'Shown:' }, IMAGE)],
      })
      expect(said.slice(-2)).toEqual([{ role: 'user', text: 'Shown:' }, { image: IMAGE.data }])
    })

    it('offers tools, and has calls and results as pairs', async () => {
      const json = CALL.json.join('')
      const called: Message = {
        role: 'assistant',
        content: [{ type: 'tool-call', callId: 'call_a', name: 'python', json }],
      }
      const { said, tools } = await heard({
        messages: [task('Add.'), called, RESULT, reply('2'), task('Thanks.')],
        tools: [TOOL],
      })
      expect(tools).toEqual([TOOL])
      expect(said).toEqual([
        { role: 'user', text: 'Add.' },
        { call: 'call_a', name: 'python', input: { code: '1 + 1' } },
        { result: 'call_a', text: '2' },
        { role: 'assistant', text: '2' },
        { role: 'user', text: 'Thanks.' },
      ])
    })

    it('shows the images of a tool, after its result', async () => {
      const called: Message = {
        role: 'assistant',
        content: [{ type: 'tool-call', callId: 'call_a', name: 'python', json: '{}' }],
      }
      const result: ToolMessage = { ...RESULT, content: [...RESULT.content, IMAGE] }
      const { said } = await heard({ messages: [task('Plot.'), called, result], tools: [TOOL] })
      expect(said.slice(-2)).toEqual([{ result: 'call_a', text: '2' }, { image: IMAGE.data }])
    })

    it('only grows at its end', async () => {
      const messages = [SYSTEM, task('One.'), reply('1'), task('Two.'), reply('2'), task('Three.')]
      await using server = await subject.serve(subject.says('ok'))
      const model = subject.model(server)
      for (const length of [2, 4, 6]) await drain(model, { messages: messages.slice(0, length) })
      const said = server.received.map((received) => subject.dialect.read(received).said)
      expect(said.map(({ length }) => length)).toEqual([2, 4, 6])
      for (const [index, all] of said.entries())
        expect(all.slice(0, said[index - 1]?.length ?? 0)).toEqual(said[index - 1] ?? [])
    })
  })

  subject.group('reasoning', (it) => {
    it(
      'goes back as it came, before what it led to',
      async () => expectBack([{ reasoning: ['Größe? ', '✓ \u2028'] }, { text: ['So.'] }]),
      { promise: 'reasoning' },
    )

    it(
      'goes back in its order, between texts and calls',
      async () => expectBack([{ reasoning: ['One.'] }, { text: ['So.'] }, { reasoning: ['Two.'] }, CALL]),
      { promise: 'reasoning.order' },
    )

    it('of another vendor, or another model, stays out', async () => {
      const own = endOf(await played([{ reasoning: ['SECRET'] }, { text: ['So.'] }])).message
      const foreign = { type: 'reasoning', provider: 'nobody', model: 'm', opaque: { text: 'FOREIGN' } } as const
      const others = own.content.map((part) => (part.type === 'reasoning' ? { ...part, model: 'another' } : part))
      const { said } = await heard({
        messages: [task('Hi'), { role: 'assistant', content: [foreign, ...others] }, task('And?')],
      })
      expect(said).toEqual([
        { role: 'user', text: 'Hi' },
        { role: 'assistant', text: 'So.' },
        { role: 'user', text: 'And?' },
      ])
    })
  })

  async function heard(request: Partial<ModelRequest>): Promise<Heard> {
    await using server = await subject.serve(subject.says('ok'))
    await drain(subject.model(server), request)
    const [received] = server.received
    if (received === undefined) throw new Error('The server was not asked.')
    return subject.dialect.read(received)
  }

  async function played(says: readonly Said[]): ReturnType<typeof drain> {
    await using server = await subject.serve(subject.says({ says }))
    return await drain(subject.model(server))
  }

  /** Plays a reply, and sends it back as a recording or a browser would have it. */
  async function expectBack(says: readonly Said[]): Promise<void> {
    const message = JSON.parse(JSON.stringify(endOf(await played(says)).message)) as Message
    const isCalled = says.some((said) => 'call' in said)
    const next = isCalled ? RESULT : task('And?')
    const { said } = await heard({ messages: [task('Hi'), message, next], tools: [TOOL] })
    // Byte by byte, with keys in the order in which they came.
    expect(JSON.stringify(said.slice(1, -1))).toBe(JSON.stringify(says.map((one, index) => itemOf(one, index))))
  }

  function itemOf(said: Said, index: number): HeardItem {
    if ('reasoning' in said) return { reasoning: subject.dialect.reasoning?.(said.reasoning, index) }
    if ('call' in said) return { call: said.call, name: said.name, input: JSON.parse(said.json.join('')) }
    return { role: 'assistant', text: ('text' in said ? said.text : said.refusal).join('') }
  }
}
