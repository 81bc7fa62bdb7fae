// E2B on this machine, until Ctrl-C: prints the environment variables with which E2B's SDK finds it. Needs bubblewrap and
// Python. `--port 3000` for a port that stays, `--internet` for sandboxes that may reach it.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { tsImport } from 'tsx/esm/api'
import { root } from './lib/run.mjs'

const { port, internet } = parseArgs({
  options: { port: { type: 'string', default: '0' }, internet: { type: 'boolean', default: false } },
}).values

const file = join(root, 'packages', 'executor-e2b', 'test', 'emulator', 'emulator.ts')
const { startEmulator } = await tsImport(pathToFileURL(file).href, import.meta.url)
const emulator = await startEmulator({ port: Number(port), hasInternet: internet })

console.log(`export E2B_API_URL=${emulator.url} E2B_SANDBOX_URL=${emulator.url} E2B_API_KEY=${emulator.apiKey}`)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => emulator.close().then(() => process.exit()))
}
