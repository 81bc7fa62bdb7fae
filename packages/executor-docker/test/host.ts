// A host program for the tests. `run CODE`: says what a cell prints, which never ends on its own. `pool`: fills a pool, and ends.
import { setTimeout as sleep } from 'node:timers/promises'
import { docker } from '../src/index.ts'
import { leftovers } from './leftovers.ts'
import { IMAGE } from './requirements.ts'

const [what, code = ''] = process.argv.slice(2)
const executor = docker({ image: IMAGE, timeoutMs: 600_000, ...(what === 'pool' ? { pool: { size: 2 } } : {}) })
if (what === 'pool') {
  while ((await leftovers()).filter((one) => one.includes('running')).length < 2) await sleep(50)
  process.stdout.write('full\n')
} else {
  const sandbox = await executor.open()
  for await (const event of sandbox.execute(code)) if (event.type === 'stdout-delta') process.stdout.write(event.text)
}
