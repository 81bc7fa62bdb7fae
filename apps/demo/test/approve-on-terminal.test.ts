import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { approveOnTerminal } from '../src/approve-on-terminal.ts'
import { styleFor } from '../src/render/style.ts'

const action = { type: 'code', language: 'python', code: '1', closed: true } as const
const view = { task: 'x', step: 1, text: '', signal: new AbortController().signal }

function typed(line: string) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const verdict = approveOnTerminal({ say: () => {}, style: styleFor(false) }, { input, output })(action, view)
  input.write(`${line}\n`)
  return { verdict, output }
}

test.each([
  ['y', 'allow'],
  ['Yes', 'allow'],
  ['', { deny: 'The user said no.' }],
  ['n', { deny: 'The user said no.' }],
  ['Not that file.', { deny: 'The user said: Not that file.' }],
])('%j is %j', async (line, expected) => {
  const { verdict, output } = typed(line)
  expect(await verdict).toEqual(expected)
  expect(String(output.read())).toContain('Run this?')
})

test('nobody there is no', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const verdict = approveOnTerminal({ say: () => {}, style: styleFor(false) }, { input, output })(action, view)
  input.end()
  expect(await verdict).toEqual({ deny: 'The user said no.' })
})
