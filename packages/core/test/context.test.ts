import { type Execution, type Executor, type Message, Run, type Sandbox } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../src/index.ts'
import { cutToTokens } from '../src/loop/cut-to-tokens.ts'
import { code, python, scriptedAgent } from './support.ts'

const told = ({ content }: Message): string =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : part.type)).join('')

describe('an estimate of tokens', () => {
  it('takes four ASCII characters for one, and each other character for one', () => {
    expect(['', 'abcd', 'abcde', '日本語', 'naïve'].map(estimateTokens)).toEqual([0, 1, 2, 3, 2])
  })
})

describe('a text that is cut to tokens', () => {
  const words = (text: string): number => text.split(/\s+/).filter(Boolean).length
  const long = Array.from({ length: 5000 }, (_, index) => (index < 2500 ? `w${index}` : `${index}`.repeat(9))).join(' ')

  it.each([
    ['estimated', estimateTokens],
    ['counted by the user', words],
  ])('keeps head and tail within them, %s', (_how, countTokens) => {
    const { text, cut } = cutToTokens(long, { tokens: 100, countTokens })
    const [head = '', tail = ''] = text.split(/\n\[… \d+ characters left out …\]\n/)
    expect(countTokens(head) + countTokens(tail)).toBeLessThanOrEqual(101)
    expect(countTokens(head) + countTokens(tail)).toBeGreaterThan(60)
    expect(long.startsWith(head) && long.endsWith(tail)).toBe(true)
    expect(cut).toBe(long.length - head.length - tail.length)
    expect(text).toContain(`[… ${cut} characters left out …]`)
  })

  it('stays whole where it fits', () => {
    expect(cutToTokens('short', { tokens: 2, countTokens: estimateTokens })).toEqual({ text: 'short', cut: 0 })
  })
})

const PICTURE =
  'class P:\n    def _repr_png_(self): return b"\\x89PNG\\r\\n\\x1a\\n" + bytes(9)\n    def __repr__(self): return "P"\n'

describe.skipIf(!python.isMet)(`what the model is shown ${python.reason}`, () => {
  it('is cut, and all of it can be read by code', async () => {
    const read = code(
      'import glob\ntext = open(glob.glob(".codeact/*.txt")[0]).read()\nprint(len(text), text[2000:2010])',
    )
    const { agent, model } = scriptedAgent([code('print("0123456789" * 1000)'), read, 'ok'], { observationTokens: 50 })
    const { steps } = await agent.run('x')
    expect(steps[0]?.observation?.cut).toBeGreaterThan(9000)
    expect(steps[0]?.observation?.text).toMatch(/characters left out; all of it is in the file \.codeact\/\S+\.txt …\]/)
    expect(model.lastShown).toBe('10000 0123456789')
  })

  it('holds an image once, where it was displayed', async () => {
    const { agent, model } = scriptedAgent([code(`${PICTURE}display(P())`), code('1'), code('2'), 'ok'])
    await agent.run('x')
    const images = model.requests.map(({ messages }) => messages.map(told).join().split('image').length - 1)
    expect(images).toEqual([0, 1, 1, 1])
  })

  it('says of an image that there was one, where the model does not see', async () => {
    const { agent, model } = scriptedAgent([code(`${PICTURE}display(P())`), 'ok'], { vision: false })
    const { steps } = await agent.run('x')
    expect(model.lastShown).toBe('P\nNote: an image was displayed, which you cannot see.')
    expect(steps[0]?.observation?.images).toEqual([])
    expect(steps[0]?.executions[0]?.displays).toHaveLength(1)
  })

  it('lists what is left after state was lost', async () => {
    const setup = { python: 'greeting = "hi"' }
    const { local } = await import('@codeact/executor-local')
    const executor = local({ isolation: 'none', setup, checkpoint: false })
    const { agent, model } = scriptedAgent([code('x = 1\nimport os\nos._exit(1)'), 'ok'], { executor })
    await agent.run('x')
    expect(model.lastShown).toMatch(/are lost.*\nVariables in python now: greeting \(str \(2,\) \d+ B\)\.$/)
  })
})

it('tells of a cell that was rolled back, and what there is', async () => {
  const rolledBack: Partial<Execution> = { state: 'rolled-back', rollback: { restored: ['x'], lost: ['a thread'] } }
  const variables = [
    { name: 'x', type: 'int', size: 28 },
    { name: 'df', type: 'DataFrame', shape: '(100, 4)', size: 3_214_000 },
  ]
  const { agent, model } = scriptedAgent([code('hang()'), 'ok'], { executor: pretend(rolledBack, variables) })
  await agent.run('x')
  expect(model.lastShown).toContain(
    'Rolled back: the variables are as they were before this code (back are x). Not back: a thread.\n' +
      'Variables in python now: x (int 28 B), df (DataFrame (100, 4) 3.2 MB).',
  )
  const silent = scriptedAgent([code('hang()'), 'ok'], { executor: pretend(rolledBack, variables), inventory: false })
  await silent.agent.run('x')
  expect(silent.model.lastShown).not.toContain('Variables in python')
})

/** No executor rolls back in a test at will: one that says so. */
function pretend(execution: Partial<Execution>, variables: readonly object[]): Executor {
  const whole = { status: 'timeout', stdout: '', stderr: '', displays: [], state: 'kept', durationMs: 1, ...execution }
  const execute = () => new Run(async () => whole)
  const close = async (): Promise<void> => {}
  const sandbox = { execute, inspect: async () => variables, close } as unknown as Sandbox
  return { name: 'pretend', languages: ['python'], open: async () => sandbox, close, [Symbol.asyncDispose]: close }
}
