// A host program for the tests: opens a sandbox, or that and a fork of it, starts a cell that never ends on its own, says where it
// stands, and waits.
import { local } from '../src/index.ts'

const isolation = process.argv[2] === 'none' ? 'none' : 'bubblewrap'
const sandbox = await local({ isolation, timeoutMs: 600_000 }).open()
const box = process.argv[4]?.startsWith('fork') ? await sandbox.fork?.() : sandbox
const run = (box ?? sandbox).execute(process.argv[3] ?? 'while True: pass')
for await (const event of run) if (event.type === 'stdout-delta') process.stdout.write(event.text)
