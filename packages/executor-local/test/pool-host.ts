// A host program for the tests: opens a sandbox from a pool, says so, closes it, and has nothing more to do.
import { local } from '../src/index.ts'

const [isolation, MARK = ''] = process.argv.slice(2)
const executor = local({
  isolation: isolation === 'none' ? 'none' : 'bubblewrap',
  pool: { size: 2 },
  env: { MARK },
})
const sandbox = await executor.open()
const { value } = await sandbox.execute('1 + 1')
process.stdout.write(`${value?.['text/plain']}\n`)
await sandbox.close()
