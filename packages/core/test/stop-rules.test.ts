import type { Execution } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { allOf, answerTag, doneLine, noCode, type StepView, stdoutAnswer, when } from '../src/index.ts'

const execution = (status: Execution['status'], stdout = ''): Execution => {
  return { status, stdout, stderr: '', displays: [], state: 'kept', durationMs: 1 }
}
const view = (text: string, more: Partial<StepView> = {}): StepView => {
  return { index: 1, text, actions: [], executions: [], observations: [], finish: 'stop', ...more }
}
const someCode = { type: 'code', language: 'python', code: '1', closed: true } as const

describe('doneLine', () => {
  it.each([
    ['DONE the mean is 18', 'the mean is 18'],
    ['All good.\nDONE: revenue 455', 'revenue 455'],
    ['**DONE** — 4', '4'],
    ['DONE -4', '-4'],
    ['DONE: .5', '.5'],
    ['  DONE.\nIt is\n5', 'It is\n5'],
    ['It is 6.\nDONE', 'It is 6.'],
  ])('takes %j', (text, answer) => expect(doneLine()(view(text))).toBe(answer))

  it.each(['abandoned', 'ABANDONED the plan', 'well DONE', 'Done: 4', 'done', 'DONEXT'])('does not take %j', (text) => {
    expect(doneLine()(view(text))).toBeUndefined()
  })

  it('does not count while code failed', () => {
    expect(doneLine()(view('DONE 4', { executions: [execution('error')] }))).toBeUndefined()
    expect(doneLine()(view('DONE 4', { executions: [execution('ok')] }))).toBe('4')
  })

  it('does not count while a tool failed', () => {
    const failed = { text: 'RangeError: no', images: [], isError: true }
    expect(doneLine()(view('DONE 4', { observations: [failed] }))).toBeUndefined()
    expect(doneLine()(view('DONE 4', { observations: [{ text: '4', images: [] }] }))).toBe('4')
  })
})

describe('noCode', () => {
  it('takes a reply that holds words and no action', () => {
    expect(noCode()(view(' It is 4.\n'))).toBe('It is 4.')
    expect(noCode()(view('Look:', { actions: [someCode] }))).toBeUndefined()
    expect(noCode()(view('', {}))).toBeUndefined()
  })
})

describe('answerTag', () => {
  it('takes an answer once all code ran', () => {
    const actions = [someCode, { type: 'answer', text: '4' } as const]
    expect(answerTag()(view('', { actions, executions: [execution('ok')] }))).toBe('4')
    expect(answerTag()(view('', { actions, executions: [execution('error')] }))).toBeUndefined()
  })
})

describe('stdoutAnswer', () => {
  it('takes what the first successful cell printed', () => {
    const executions = [execution('error', 'x'), execution('ok', '4\n'), execution('ok', '5\n')]
    expect(stdoutAnswer()(view('', { executions }))).toBe('4')
    expect(stdoutAnswer()(view('', { executions: [execution('timeout', 'x')] }))).toBeUndefined()
  })

  it('takes no silence for an answer', () => {
    expect(stdoutAnswer()(view('', { executions: [execution('ok', ' \n')] }))).toBeUndefined()
  })
})

describe('rules together', () => {
  it('count only where a condition holds', () => {
    const rule = when(({ index }) => index > 1, noCode())
    expect(rule(view('4'))).toBeUndefined()
    expect(rule(view('4', { index: 2 }))).toBe('4')
  })

  it('may all be asked for: the answer is that of the last', () => {
    const rule = allOf(doneLine(), stdoutAnswer())
    expect(rule(view('DONE', { executions: [execution('ok', '4\n')] }))).toBe('4')
    expect(rule(view('DONE'))).toBeUndefined()
    expect(rule(view('', { executions: [execution('ok', '4\n')] }))).toBeUndefined()
  })
})
