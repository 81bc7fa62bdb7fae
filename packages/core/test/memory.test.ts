import { CodeActError, type CodeActEvent, type Message } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { dropOldObservations, estimateTokens, keepAll, type Memory, summarize } from '../src/index.ts'
import { messageTokens } from '../src/memory/tokens.ts'
import { type Reply, ScriptedModel } from './scripted-model.ts'
import { code, eventsOf, python, scriptedAgent } from './support.ts'

const text = ({ content }: Message): string =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : part.type)).join('')

/** Prints a lot, step after step, then answers. */
const talkative = (steps: number): Reply[] => [
  ...Array.from({ length: steps }, (_, index) => code(`n${index} = ${index}\nprint("${index} " * 200)`)),
  'Done with it.',
]

type Compacted = Extract<CodeActEvent, { type: 'compaction' }>

async function watch(memory: Memory, replies: readonly Reply[]) {
  const { agent, model } = scriptedAgent(replies, { memory, limits: { steps: 200 } })
  const run = agent.run('The task.')
  const events = await eventsOf(run)
  const compactions = events.filter((event): event is Compacted => event.type === 'compaction')
  return { result: await run, model, events, compactions }
}

/** Which requests do not have the one before as their exact prefix, by their place. */
function breaks({ requests }: ScriptedModel): number[] {
  const sent = requests.map(({ messages }) => messages.map((message) => JSON.stringify(message)))
  return sent.flatMap((messages, index) => {
    const before = sent[index - 1] ?? []
    return before.every((message, at) => message === messages[at]) ? [] : [index]
  })
}

describe.skipIf(!python.isMet)(`the transcript ${python.reason}`, () => {
  it('over 100 steps only ever grows at its end', async () => {
    const { model, result } = await watch(keepAll(), talkative(100))
    expect(result.steps).toHaveLength(101)
    expect(breaks(model)).toEqual([])
    expect(model.requests.map(({ messages }) => messages.length)).toEqual(
      Array.from({ length: 101 }, (_, index) => 2 + 2 * index),
    )
  })

  it('is broken by a stated compaction alone, also over 100 steps, and seldom', async () => {
    const { model, events, compactions } = await watch(dropOldObservations({ over: 3000 }), talkative(100))
    const steps = events.filter(({ type }) => type === 'step-start' || type === 'compaction').map(({ type }) => type)
    const stated = steps.flatMap((type, index) => (type === 'compaction' ? [index] : []))
    expect(breaks(model)).toEqual(stated.map((place, count) => place - count))
    expect(compactions.length).toBeGreaterThan(3)
    expect(compactions.length).toBeLessThan(34)
  })
})

describe.skipIf(!python.isMet)(`dropping old observations ${python.reason}`, () => {
  it('leaves out the oldest outputs, and nothing else', async () => {
    const { compactions, model } = await watch(dropOldObservations({ over: 900 }), talkative(8))
    const [first] = compactions
    expect(first?.memory).toBe('drop-old-observations')
    expect(first?.before).toBeGreaterThan(900)
    expect(first?.after).toBeLessThan(first?.before ?? 0)
    const observations = (first?.messages ?? []).filter((one) => one.role === 'user' && one.kind === 'observation')
    expect(text(observations[0] as Message)).toMatch(/^\(this output is left out by now\)/)
    expect(text(observations.at(-1) as Message)).toMatch(/^(\d+ )+\d+$/)
    expect(first?.messages.filter(({ role }) => role === 'assistant').map(text)).toEqual(
      talkative(8).slice(0, observations.length),
    )
    const sent = model.requests.find(({ messages }) => messages.some((one) => text(one).includes('left out by now')))
    expect(sent?.messages).toEqual(first?.messages)
  })

  it('says where the rest can be read, and which variables there are', async () => {
    const look = code('import glob\nprint(sum("0 0 0 0" in open(f).read() for f in glob.glob(".codeact/*")))')
    const { compactions, result } = await watch(dropOldObservations({ over: 900 }), [
      ...talkative(6).slice(0, 6),
      look,
      'ok',
    ])
    const note = compactions[0]?.messages.map(text).find((one) => one.includes('.codeact/'))
    expect(note).toMatch(
      /What was left out can be read in the file \.codeact\/\S+\.txt\.\nVariables in python now: n0 \(int/,
    )
    expect(result.steps[6]?.executions[0]?.stdout).toBe('1\n')
  })

  it('keeps the newest, and is silent where there is nothing to drop', async () => {
    const { compactions } = await watch(dropOldObservations({ over: 1, keep: 50 }), talkative(5))
    expect(compactions).toEqual([])
  })
})

describe.skipIf(!python.isMet)(`a summary ${python.reason}`, () => {
  it('takes the place of all but the newest replies; its tokens are the run’s', async () => {
    const scribe = new ScriptedModel('n0 to n4 are numbers.', 'More numbers.', 'Still more.', 'And more.')
    const { compactions, result, model } = await watch(summarize({ model: scribe, over: 900, keep: 2 }), talkative(14))
    expect(result.answer).toBe('Done with it.')
    const [first, second] = compactions
    expect(first?.messages.map((one) => (one.role === 'user' ? one.kind : one.role)).slice(0, 3)).toEqual([
      'system',
      'summary',
      'assistant',
    ])
    const shown = text(first?.messages[1] as Message)
    expect(shown).toMatch(
      /^The task\.\n\nWhat has happened since, in short:\nn0 to n4 are numbers\.\n\nWhat was left out/,
    )
    expect(first?.usage).toEqual({ inputTokens: 10, outputTokens: 5 })
    expect(result.usage.inputTokens).toBe(10 * (15 + compactions.length))
    expect(text(second?.messages[1] as Message)).toMatch(/^The task\.\n\nWhat has happened since, in short:\nMore/)
    const replies = (second?.messages ?? []).reduce(
      (sum, one) => sum + (one.role === 'assistant' ? 1 : one.role === 'user' ? (one.replies ?? 0) : 0),
      0,
    )
    const request = model.requests.findIndex(({ messages }) => JSON.stringify(messages).includes('More numbers.'))
    expect(replies).toBe(request)
  })

  it('is asked for what was said, not for the system prompt', async () => {
    const scribe = new ScriptedModel('Notes.', 'Notes.', 'Notes.')
    await watch(summarize({ model: scribe, over: 900 }), talkative(6))
    const [system, asked] = scribe.requests[0]?.messages ?? []
    expect(text(system as Message)).toContain('You keep the notes of an agent')
    expect(text(asked as Message)).toMatch(/^\[task\]\nThe task\.\n\n\[assistant\]\n<execute>/)
    expect(text(asked as Message)).not.toContain('You solve tasks')
  })

  it('that cannot be made ends the run, as any model that fails', async () => {
    const scribe = new ScriptedModel(new CodeActError('MODEL_AUTH', 'wrong key'))
    await expect(watch(summarize({ model: scribe, over: 300 }), talkative(8))).rejects.toMatchObject({
      code: 'MODEL_AUTH',
    })
  })
})

describe('a memory', () => {
  it('refuses a threshold that is none', () => {
    expect(() => dropOldObservations({ over: 0 })).toThrow(/over must be a number of tokens above 0/)
    expect(() => summarize({ model: new ScriptedModel(), over: -1 })).toThrow(/summarize: over/)
  })

  it('counts all parts of a message', () => {
    const message: Message = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'abcd' },
        { type: 'tool-call', callId: 'a', name: 'b', json: '{"code":1}' },
        { type: 'reasoning', provider: 'a', model: 'b', opaque: { a: 'bcd' } },
      ],
    }
    expect(messageTokens(message, estimateTokens)).toBe(1 + 3 + 3)
    const image: Message = {
      role: 'user',
      kind: 'task',
      content: [{ type: 'image', mediaType: 'image/png', data: '' }],
    }
    expect(messageTokens(image, estimateTokens)).toBe(1000)
  })
})
