import { Agent } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { fenced, xml } from '@codeact/parsers'
import { type ScriptedReply, scripted } from '@codeact/provider-replay'
import type { ActionParser, CodeActEvent, Finish } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { code, python } from './support.ts'

const cut = (message: string, finish: Finish = 'length'): ScriptedReply => ({ message, finish })

async function run(replies: readonly ScriptedReply[], parser: ActionParser = xml(), maxSteps = 5) {
  const executor = local({ isolation: 'none', timeoutMs: 5000 })
  const agent = new Agent({ model: scripted(replies), parser, executor, limits: { steps: maxSteps } })
  const events: CodeActEvent[] = []
  const running = agent.run('x')
  for await (const event of running) events.push(event)
  const result = await running
  const ran = events.flatMap((event) => (event.type === 'execution-start' ? [event.code] : []))
  return { ...result, events, ran, told: result.steps.map(({ observation }) => observation?.text) }
}

const PROGRAM = 'total = 0\nfor n in range(4):\n    total += n\ntotal'

describe.skipIf(!python.isMet)(`a reply that is cut inside a block ${python.reason}`, () => {
  const syntaxes: [string, ActionParser, string][] = [
    ['xml', xml(), `Text.\n<execute>\n${PROGRAM}\n</execute>\n`],
    ['xml, first block', xml({ blocks: 'first' }), `Text.\n<execute>\n${PROGRAM}\n</execute>\n`],
    ['fenced', fenced(), `Text.\n\`\`\`python\n${PROGRAM}\n\`\`\`\n`],
  ]
  it.each(syntaxes)(
    '(%s) goes on in the next one: the pieces are one program, wherever the cut is',
    async (_n, parser, whole) => {
      const [first, last] = [whole.indexOf('total'), whole.lastIndexOf('total') + 5]
      for (let at = first + 1; at <= last; at += 4) {
        const { ran, told, answer } = await run([cut(whole.slice(0, at)), whole.slice(at), 'Six.'], parser)
        expect([at, ran.map((text) => text.trim()), told[1], answer]).toEqual([at, [PROGRAM], '6', 'Six.'])
        expect(told[0]).toContain('ran out of tokens inside a code block')
      }
    },
  )

  it('is put together from as many pieces as it takes', async () => {
    const { ran } = await run([cut('<execute>\nx = 1'), cut('2\ny = '), cut('3'), '\nx + y\n</execute>', '15.'])
    expect(ran.map((text) => text.trim())).toEqual(['x = 12\ny = 3\nx + y'])
  })

  it('runs the blocks before the cut at once, and once', async () => {
    const { ran, told } = await run([cut(`${code('a = 1')} then\n<execute>\na +`), ' 1\n</execute>', 'ok'])
    expect(ran.map((text) => text.trim())).toEqual(['a = 1', 'a + 1'])
    expect(told[1]).toBe('2')
  })

  it('may be written anew instead: the half is forgotten', async () => {
    const { ran, told } = await run([cut('<execute>\nprint("ha'), `\n${code('print("whole")')}`, 'ok'])
    expect(ran.map((text) => text.trim())).toEqual(['print("whole")'])
    expect(told[1]).toBe('whole')
  })

  it('is not gone on with when a block before it failed', async () => {
    const { ran, told } = await run([cut(`${code('1 / 0')}\n<execute>\nprint(1`), 'I see.'])
    expect(ran).toHaveLength(1)
    expect(told[0]).toContain('Write it again')
  })

  it('goes on without a word when the vendor had only paused', async () => {
    const { ran, told } = await run([cut('<execute>\n6 *', 'pause'), ' 7\n</execute>', 'ok'])
    expect(told).toEqual([undefined, '42', undefined])
    expect(ran.map((text) => text.trim())).toEqual(['6 * 7'])
  })

  it('and never goes on: nothing of it is run', async () => {
    expect((await run([cut('<execute>\nprint(1)')], xml(), 1)).ran).toEqual([])
    expect((await run([cut('<execute>\nprint(1)', 'refusal')])).ran).toEqual([])
  })

  it('every span of the joined block is closed, and its deltas are the whole of it', async () => {
    const { events } = await run([cut('<execute>\n6 *'), ' 7\n</execute>', 'ok'])
    const starts = events.filter(({ type }) => type === 'code-start')
    const ends = events.filter((event) => event.type === 'code-end')
    expect(ends.map(({ id }) => id)).toEqual(starts.map(({ id }) => id))
    const deltas = events.map((event) => (event.type === 'code-delta' && event.id === ends[1]?.id ? event.text : ''))
    expect(ends[1]?.action).toMatchObject({ code: deltas.join('') })
  })
})

it.skipIf(!python.isMet)('text that the vendor paused in is no answer', async () => {
  const { answer } = await run([cut('Let me look.', 'pause'), 'It is 4.'])
  expect(answer).toBe('It is 4.')
})
