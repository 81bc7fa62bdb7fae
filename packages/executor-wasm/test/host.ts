// A host program for the tests: opens a sandbox, starts a cell, passes on what it prints, and waits. With `pool` before the code
// the sandbox is one of a pool, and closed at the end.
import { wasm } from '../src/index.ts'

const isPooled = process.argv[2] === 'pool'
const code = process.argv[isPooled ? 3 : 2] ?? ''
const sandbox = await wasm({ timeoutMs: 600_000, pool: { size: isPooled ? 1 : 0 } }).open({
  onProgress: ({ message }) => process.stdout.write(`${message}\n`),
})
process.stdout.write('open\n')
for await (const event of sandbox.execute(code)) {
  if (event.type === 'stdout-delta') process.stdout.write(event.text)
}
if (isPooled) await sandbox.close()
