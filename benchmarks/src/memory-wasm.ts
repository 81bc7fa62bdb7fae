import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { wasm } from '@codeact/executor-wasm'
import { family, kilobytes } from './process-memory.ts'
import { MARGIN_KB, restingKilobytes } from './resting.ts'
import { type Row, row } from './row.ts'

const PYODIDE = `
const { loadPyodide } = await import(process.argv[1])
const python = await loadPyodide()
console.log(python.runPython('1 + 1'))
setInterval(() => {}, 1000)
`

/** A session of `wasm()` at rest, beside Pyodide as it comes, in a process of its own. */
export async function memoryOfWasm(quick: boolean): Promise<Row> {
  const samples = { ours: [] as number[], floor: [] as number[] }
  await using executor = wasm()
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    samples.floor.push(await pyodideKilobytes())
    samples.ours.push(...(await restingKilobytes(1, 1, () => executor.open())))
  }
  return row('wasm(): memory, at rest, kB', samples.ours, samples.floor, { plus: MARGIN_KB })
}

async function pyodideKilobytes(): Promise<number> {
  const pyodide = import.meta.resolve('pyodide')
  const child = spawn(process.execPath, ['--input-type=module', '-e', PYODIDE, pyodide], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), once(child, 'close')])
  if (printed !== '2\n') throw new Error(`Pyodide said ${printed}`)
  const size = kilobytes(family(child.pid as number))
  await ended(child)
  return size
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = once(child, 'close')
  child.kill('SIGKILL')
  await gone
}
