import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { replay } from '../src/index.ts'
import { events, said, spoke, started, task } from './transcripts.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codeact-recordings-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const lines = events(started('x'), spoke('hello')).map((event) => JSON.stringify(event))

function file(...text: string[]): string {
  const path = join(folder, 'session.jsonl')
  writeFileSync(path, text.join('\n'))
  return path
}

describe('a file', () => {
  test.each([
    ['with a line break at its end', [...lines, '']],
    ['without one', lines],
    ['with blank lines', ['', ...lines, '', '  ']],
    ['with line ends of Windows', lines.map((line) => `${line}\r`)],
    ['with a byte order mark', [`\uFEFF${lines[0]}`, lines[1] as string]],
  ])('%s is played, under its name', async (_name, text) => {
    const model = replay(file(...text))
    expect(model.id).toBe('replay:session.jsonl')
    expect(await said(model, task('x'))).toBe('hello')
  })
})

describe('RECORDING_INVALID', () => {
  function refusal(make: () => string): { code: string; message: string; hint: string } {
    try {
      replay(make())
    } catch (error) {
      return error as { code: string; message: string; hint: string }
    }
    throw new Error('it was not refused')
  }

  test('a file that is not there', () => {
    const { code, message, hint } = refusal(() => join(folder, 'none.jsonl'))
    expect(code).toBe('RECORDING_INVALID')
    expect(message).toContain(join(folder, 'none.jsonl'))
    expect(message).toContain('no such file')
    expect(hint).not.toBe('')
  })

  test('a folder', () => {
    expect(refusal(() => folder)).toMatchObject({ code: 'RECORDING_INVALID', message: expect.stringContaining(folder) })
  })

  test.each([
    ['half a line', '{"type":"run-st\n', 'not JSON'],
    ['a line that is no object', '42', 'no type'],
    ['a line without a type', '{"task":"x"}', 'no type'],
    ['another version', '{"v":2,"type":"run-start","task":"x"}', 'version 2'],
    ['messages that are none', '{"type":"run-start","task":"x","messages":[{"content":1}]}', 'its messages must be'],
    ['a task that is no text', '{"type":"run-start"}', 'its task must be a text'],
    ['an observation without text', '{"type":"observation"}', 'its observation.text must be a text'],
    ['a reply without a message', '{"type":"model-end","finish":"stop"}', 'its message must be'],
    [
      'a message in a form of another’s',
      '{"type":"model-end","finish":"stop","message":{"role":"assistant","content":"hi"}}',
      'its message must be',
    ],
    [
      'a part that is not known',
      '{"type":"model-end","finish":"stop","message":{"role":"assistant","content":[{"type":"image"}]}}',
      'a part of its message',
    ],
    [
      'a finish that is not known',
      '{"type":"model-end","finish":"ended","message":{"role":"assistant","content":[]}}',
      'its finish must be one of',
    ],
  ])('%s: file and line are named', (_name, line, what) => {
    const error = refusal(() => file(...lines, line))
    expect(error.code).toBe('RECORDING_INVALID')
    expect(error.message).toContain(`${join(folder, 'session.jsonl')}:3: `)
    expect(error.message).toContain(what)
  })

  test('but a last line that was left half written is passed over', () => {
    expect(() => replay(file(...lines, '{"type":"run-st'))).not.toThrow()
  })

  test('a recording without a reply', () => {
    expect(refusal(() => file(lines[0] as string)).message).toContain('no reply')
    expect(() => replay([])).toThrow('no reply')
  })

  test('events that are none', () => {
    expect(() => replay(events(started('x'), { type: 'observation' }))).toThrow('events[1]')
  })
})
