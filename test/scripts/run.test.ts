import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { run } from '../../scripts/lib/run.mjs'

const node = (code: string) => run(process.execPath, ['-e', code])

test('both streams are kept, in the order they came', async () => {
  const code = "process.stdout.write('out '); setTimeout(() => process.stderr.write('err'), 50)"
  expect(await node(code)).toEqual({ ok: true, output: 'out err' })
})

test('a program that fails is told apart, and what it said is kept', async () => {
  expect(await node("console.log('why'); process.exit(7)")).toEqual({ ok: false, output: 'why\n' })
})

test('a program that is not there is a failure that names it', async () => {
  expect(await run('no-such-program', [])).toEqual({ ok: false, output: expect.stringContaining('no-such-program') })
})

test.skipIf(process.platform === 'win32')('a signal ends the program and what it started (POSIX signals)', async () => {
  const grandchild = 'console.log(process.pid); setInterval(() => {}, 1000)'
  const child = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], { stdio: 'inherit' })`
  const path = fileURLToPath(new URL('../../scripts/lib/run.mjs', import.meta.url))
  const script = `import { run } from ${JSON.stringify(path)}; await run(process.execPath, ['-e', ${JSON.stringify(child)}], { watched: true })`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [first] = await once(parent.stdout, 'data')
  const pid = Number(String(first))
  expect(isAlive(pid)).toBe(true)

  parent.kill('SIGTERM')
  expect(await once(parent, 'exit')).toEqual([143, null])
  await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
