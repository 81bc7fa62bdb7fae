import { expect, it } from 'vitest'
import { evaluate, openSandbox } from './sandboxes.ts'
import { slowTool } from './tools.ts'

// Code shares the process with its kernel, so it can write to the wire. It harms its own session at most.

const FORGE = 'import os\nwire = os.open("/dev/codeact", os.O_WRONLY)\n'

it.each([
  ['a header that cannot be read', String.raw`os.write(wire, b"DONE 1 1 - 0\n")`, 'protocol'],
  ['a body that is no JSON', String.raw`os.write(wire, b"alarm 1 1 x 3\n{{{")`, 'protocol'],
  ['an alarm without a time', String.raw`os.write(wire, b'alarm 1 1 x 12\n{"ms": "no"}')`, 'protocol'],
  ['an end that has not come', String.raw`os.write(wire, b'end 1 1 - 33\n{"reason":"exit","detail":"lie"}')`, 'exit'],
])('%s ends the session, and a new one begins', async (_, code, reason) => {
  const sandbox = await openSandbox()
  expect(await sandbox.execute(`${FORGE}${code}\nwhile True: pass`)).toMatchObject({ status: 'crashed', reason })
  expect(await evaluate(sandbox, '1 + 1')).toBe('2')
})

it.each([
  ['a header that is none', String.raw`os.write(wire, b"no frame\n")`, ''],
  ['a length that does not fit', String.raw`os.write(wire, b"stdout 1 1 - 2147483648\nhello")`, 'hello'],
  ['output with a number of its own', String.raw`os.write(wire, b"stdout 99999 99999 - 5\nhello")`, 'hello'],
  ['answers about files that nobody asked for', String.raw`os.write(wire, b'file 1 1 f1 12\n{"ok": true}')`, ''],
  ['frames printed to the standard output', String.raw`print("done 1 1 - 11\n{\"ok\":true}")`, 'done 1 1'],
])('%s changes nothing', async (_, code, printed) => {
  const sandbox = await openSandbox({}, { tools: [slowTool()] })
  const execution = await sandbox.execute(`${FORGE}_ = ${code}\nslow(1) + 1`)
  expect(execution).toMatchObject({ status: 'ok', value: { 'text/plain': '2' } })
  expect(execution.stdout).toContain(printed)
})

it('closing every descriptor ends the session, and a new one begins', async () => {
  const sandbox = await openSandbox()
  expect(await sandbox.execute('import os\nos.closerange(3, 1024)')).toMatchObject({ status: 'crashed', state: 'lost' })
  expect(await evaluate(sandbox, '1 + 1')).toBe('2')
})

it('closing the standard streams loses output at most', async () => {
  const sandbox = await openSandbox()
  await sandbox.execute('import os, sys\nx = 5\nos.close(0)\nos.close(1)\nos.close(2)\nsys.stdout = None')
  expect(await sandbox.execute('print(x)')).toMatchObject({ status: 'ok', stdout: '5\n' })
})
