// A host program for the tests: opens a sandbox, starts a cell, passes on what it prints, and waits.
import { wasm } from '../src/index.ts'

const sandbox = await wasm({ timeoutMs: 600_000 }).open({
  onProgress: ({ message }) => process.stdout.write(`${message}\n`),
})
process.stdout.write('open\n')
for await (const event of sandbox.execute(process.argv[2] ?? '')) {
  if (event.type === 'stdout-delta') process.stdout.write(event.text)
}
