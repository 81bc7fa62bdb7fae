import { type CodeActEvent, type EventBody, type Execution, eventStamp } from '@codeact/spec'
import { describe, expect, test } from 'vitest'
import { styleFor } from '../../src/render/style.ts'
import { type TerminalOptions, TerminalRenderer } from '../../src/render/terminal.ts'

const options: TerminalOptions = {
  style: styleFor(false),
  width: 40,
  hardWidth: Number.POSITIVE_INFINITY,
  isLive: false,
  showsTask: true,
}

const usage = { inputTokens: 0, outputTokens: 0 }
const message = { role: 'assistant', content: [] } as const
const started: EventBody[] = [
  { type: 'run-start', id: 'r', task: 'Do it.', model: 'm', parser: 'xml', executor: 'wasm' },
  { type: 'step-start', id: 's', index: 1 },
  { type: 'model-start', id: 'm', model: 'm' },
]
const replied: EventBody = { type: 'model-end', id: 'm', message, finish: 'stop', usage }

function render(bodies: readonly EventBody[], more: Partial<TerminalOptions> = {}): string {
  const stamp = eventStamp('r')
  const renderer = new TerminalRenderer({ ...options, ...more })
  return bodies.map((body) => renderer.show(stamp(body))).join('') + renderer.leave()
}

test('runs inside the run are not told', () => {
  const inner: EventBody[] = [
    { type: 'run-start', id: 'r2', parent: 't', task: 'Inner.', model: 'm', parser: 'xml', executor: 'wasm' },
    { type: 'step-start', id: 's2', parent: 'r2', index: 1 },
    { type: 'model-start', id: 'm2', parent: 's2', model: 'm' },
    { type: 'text-delta', id: 'm2', text: 'inner words' },
    { type: 'model-end', id: 'm2', parent: 's2', message, finish: 'stop', usage },
    { type: 'run-end', id: 'r2', parent: 't', stop: 'answer', answer: 'inner words', steps: 1, usage },
  ]
  expect(render([...started, ...inner, ...text('Hello.'), replied])).toBe(
    render([...started, ...text('Hello.'), replied]),
  )
})

test('what the user says meanwhile, a compaction, and a step that is undone, are told', () => {
  const compaction = { memory: 'keep', before: 2, after: 1, messages: [] }
  const nothing = { messages: [], cells: [], files: [], begun: [] }
  const shown = render([
    ...started,
    ...text('Hello.'),
    replied,
    { type: 'user-message', id: 'u', text: 'Be brief.' },
    { type: 'compaction', id: 'c', ...compaction },
    { type: 'undo', id: 'b', step: 's', session: { v: 1, ...nothing }, restored: [], lost: [] },
  ])
  expect(shown).toMatch(
    /Hello\.\n[\s\S]*› Be brief\.\n[\s\S]*… older messages are left out[^\n]*\n[\s\S]*… the last step is undone/,
  )
})

function text(...pieces: string[]): EventBody[] {
  return pieces.map((piece) => ({ type: 'text-delta', id: 'm', text: piece }))
}

function block(id: string, code: string): EventBody[] {
  return [
    { type: 'code-start', id, language: 'python' },
    { type: 'code-delta', id, text: code },
    { type: 'code-end', id, action: { type: 'code', language: 'python', code, closed: true } },
  ]
}

function cell(execution: Partial<Execution>, ...within: EventBody[]): EventBody[] {
  const whole: Execution = {
    ...{ status: 'ok', stdout: '', stderr: '', displays: [], state: 'kept', durationMs: 0 },
    ...execution,
  }
  return [
    { type: 'execution-start', id: 'c', language: 'python', code: '' },
    ...within,
    { type: 'execution-end', id: 'c', execution: whole },
  ]
}

function printed(...lines: string[]): EventBody[] {
  return lines.map((line) => ({ type: 'stdout-delta', id: 'c', text: `${line}\n` }))
}

function call(id: string, a: number): EventBody[] {
  return [
    { type: 'tool-start', id, name: 'twice', input: { a } },
    { type: 'tool-end', id, name: 'twice', outcome: { ok: true, value: a * 2 } },
  ]
}

function answered(answer: string): EventBody {
  return { type: 'run-end', id: 'r', stop: 'answer', answer, steps: 1, usage }
}

describe('a run', () => {
  test('reads from top to bottom: task, words, code, what it gave, answer', () => {
    const events = [
      ...[...started, ...text('Let me ', 'see.\n\n'), ...block('1', 'a = 1\nprint(a)\na'), replied],
      ...cell({ stdout: '1\n', value: { 'text/plain': '1' } }, ...printed('1')),
      ...[...text('\nIt is 1.'), replied, answered('It is 1.')],
    ]
    expect(render(events)).toBe(
      ['  › Do it.\n', '  Let me see.\n', '  │ a = 1\n  │ print(a)\n  │ a\n', '  > 1\n  = 1\n', '  It is 1.\n'].join(
        '\n',
      ),
    )
  })

  test('whose task was just typed does not repeat it', () => {
    expect(render([...started, ...text('Hm.'), replied], { showsTask: false })).toBe('  Hm.\n')
  })

  test('tells the answer where it was not seen', () => {
    expect(render([...started, ...text('Well.'), replied, answered('42')])).toContain('  Well.\n\n  » 42\n')
    const silent = [...started, ...block('1', 'x'), replied, ...cell({ stdout: '42\n' }, ...printed('42'))]
    expect(render([...silent, answered('42')])).not.toContain('»')
  })

  test('can be taken up after something else was written', () => {
    const stamp = eventStamp('r')
    const renderer = new TerminalRenderer(options)
    const show = (body: EventBody) => renderer.show(stamp(body))
    const first = [...started, ...text('One.')].map(show).join('') + renderer.leave()
    expect(first.endsWith('  One.\n')).toBe(true)
    expect(text('Two.').map(show).join('') + renderer.leave()).toBe('  Two.\n')
  })
})

describe('what code gave', () => {
  const after = (...cells: EventBody[]) =>
    render([...started, ...block('1', 'x'), replied, ...cells]).slice('  › Do it.\n\n  │ x\n\n'.length)

  test('nothing', () => {
    expect(after(...cell({}))).toBe('  (no output)\n')
  })

  test('output of both kinds, in order', () => {
    const stderr: EventBody = { type: 'stderr-delta', id: 'c', text: 'careful\n' }
    expect(after(...cell({ stdout: 'a\nb\n' }, ...printed('a'), stderr, ...printed('b')))).toBe(
      '  > a\n  > careful\n  > b\n',
    )
  })

  test('pictures', () => {
    const display: EventBody = { type: 'display', id: 'c', bundle: { 'image/png': 'iVBO' } }
    expect(after(...cell({}, display))).toBe('  = (image/png)\n')
  })

  test('an error, and lost variables', () => {
    const error = { name: 'E', message: 'm', traceback: 'Traceback (most recent call last):\n  Cell 1\nE: m' }
    expect(after(...cell({ status: 'crashed', error, state: 'lost' }))).toBe(
      '  ! Traceback (most recent call last):\n      Cell 1\n    E: m\n  ! The variables from before are lost.\n',
    )
  })

  test('variables that are back, and those that would not be', () => {
    const error = { name: 'E', message: 'm', traceback: 'E: m' }
    const rollback = { restored: ['x'], lost: [] }
    expect(after(...cell({ status: 'timeout', error, state: 'rolled-back', rollback }))).toBe(
      '  ! E: m\n  ! The variables are as they were before this code.\n',
    )
    expect(after(...cell({ stdout: 'a\n', unprotected: 'too large' }, ...printed('a')))).toBe(
      '  > a\n  ! No checkpoint: too large.\n',
    )
  })

  test('tool calls: a long row of them is counted', () => {
    expect(after(...cell({}, ...call('1', 1), ...call('2', 2)))).toContain('  · twice(a=1) = 2\n  · twice(a=2) = 4\n')
    const many = [1, 2, 3, 4, 5].flatMap((n) => call(String(n), n))
    expect(after(...cell({ stdout: 'x\n' }, ...many, ...printed('x'), ...call('6', 6)))).toBe(
      '  · twice(a=1) = 2\n  · twice(a=2) = 4\n  · twice(a=3) = 6\n  … and 2 more calls\n  > x\n  · twice(a=6) = 12\n',
    )
  })

  test('tools that the model called itself are told once', () => {
    const observation: EventBody = { type: 'observation', id: 'o', observation: { text: '2', images: [] } }
    expect(render([...started, replied, ...call('1', 1), observation])).toBe('  › Do it.\n\n  · twice(a=1) = 2\n')
  })

  test('a tool call that failed, and one with a value beyond JSON', () => {
    const failed: EventBody[] = [
      { type: 'tool-start', id: '1', name: 'fetch', input: { url: 'x' } },
      { type: 'tool-end', id: '1', name: 'fetch', outcome: { ok: false, error: { name: 'Error', message: 'no' } } },
      { type: 'tool-start', id: '2', name: 'half', input: { a: 16 } },
      { type: 'tool-end', id: '2', name: 'half', outcome: { ok: true, value: { $: ['float', '8.0'] } } },
    ]
    expect(after(...cell({}, ...failed))).toContain('  · fetch(url="x") ! Error: no\n  · half(a=16) = 8.0\n')
  })

  test('escape sequences, as what they are', () => {
    expect(after(...cell({ stdout: 'x' }, ...printed('\u001b[31mred')))).toBe('  > ␛[31mred\n')
  })
})

describe('several blocks', () => {
  const two = [...started, ...block('1', 'a'), ...block('2', 'b'), replied]

  test('are told apart, and so is what they gave', () => {
    const events = [...two, ...cell({ value: { 'text/plain': '1' } }), ...cell({ value: { 'text/plain': '2' } })]
    expect(render(events)).toBe('  › Do it.\n\n  │ a\n\n  │ b\n\n  block 1\n  = 1\n\n  block 2\n  = 2\n')
  })

  test('of which one failed', () => {
    const observation: EventBody = { type: 'observation', id: 'o', observation: { text: '…', images: [] } }
    const error = { name: 'E', message: '', traceback: 'E' }
    expect(render([...two, ...cell({ status: 'error', error }), observation])).toContain(
      '  ! E\n\n  ! block 2 and what follows were not run\n',
    )
  })

  test('of which none could be read', () => {
    const observation: EventBody = { type: 'observation', id: 'o', observation: { text: 'It was empty.', images: [] } }
    expect(render([...started, replied, observation])).toContain('  ! It was empty.\n')
  })
})

describe('progress', () => {
  const progress: EventBody = { type: 'progress', id: 'r', message: 'unpacking', fraction: 0.5 }
  const run = [...started, ...text('One'), progress, progress, ...text(' two.'), replied]

  test('does not cut into a reply, and is told once', () => {
    expect(render([...run, progress, ...cell({})])).toBe('  › Do it.\n\n  One two.\n\n  … unpacking\n  (no output)\n')
  })

  test('is written over where that can be done', () => {
    const shown = render([...run, progress, ...cell({})], { isLive: true })
    expect(shown).toContain('\r\u001b[2K  … unpacking 50 %\r\u001b[2K  … unpacking 50 %\r\u001b[2K')
    const steady = shown.split('\r\u001b[2K').filter((part) => part !== '  … unpacking 50 %')
    expect(steady.join('')).toBe('  › Do it.\n\n  One two.\n\n  (no output)\n')
  })
})

test('colours set things apart, and change no text', () => {
  const events: EventBody[] = [...started, ...text('Hm.'), ...block('1', 'x'), replied, ...cell({}, ...call('1', 1))]
  const coloured = render(events, { style: styleFor(true) })
  expect(coloured).toContain('\u001b[2m│\u001b[22m x')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(render(events))
})

test('every event of the grammar can be shown', () => {
  const unknown = { type: 'something-new', id: 'x' } as unknown as CodeActEvent
  expect(new TerminalRenderer(options).show(unknown)).toBe('')
})
