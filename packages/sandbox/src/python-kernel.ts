import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** In the order in which they import each other. */
const KERNEL = [
  ...['values', 'tools', 'figures', 'bundles', 'tracebacks', 'variables', 'cells', 'upkeep', 'event_loop'],
  ...['frames', 'wire', 'transport', 'waiting', 'descriptors', 'interrupts', 'kernel'],
]
const COPIED = [...KERNEL, 'handed', 'revival', 'twin', 'checkpoint']
/** What stands by a kernel to have its copy go on where it ends. */
const KEEPER = ['descriptors', 'confine', 'processes', 'outbox', 'twins', 'handed', 'lineage', 'keeper']
const SUPERVISOR = [
  ...['files', 'confine', 'oom', 'processes', 'outbox', 'twins', 'lineage', 'kernel_process', 'supervisor'],
]
const TWIN = [...COPIED, ...SUPERVISOR, 'arrival']
const LINK = ['lines', 'link']
const NOTEBOOK = [
  ...['values', 'tools', 'figures', 'bundles', 'tracebacks', 'variables', 'upkeep'],
  ...['frames', 'wire', 'transport', 'waiting', 'notebook'],
]

/** What a program is started with, `[interpreter, …arguments]`, and what is written to its channel before the first frame. */
export interface PythonStart {
  readonly arguments: readonly string[]
  readonly input: Uint8Array
}

/** The folder of the Python kernel's modules. */
export function pythonKernelFolder(): string {
  return fileURLToPath(new URL('../kernels/python', import.meta.url))
}

/** Modules as an interpreter marshals them, `[(name, code), …]`; another version of it cannot read them. */
export type CompiledModules = { readonly [Name in keyof ReturnType<typeof pythonModules>]: Uint8Array }

/** A kernel, with its channel on descriptor 3. */
export function pythonKernelStart({ boot, kernel }: Pick<CompiledModules, 'boot' | 'kernel'>): PythonStart {
  return { arguments: compiledStart(boot, 3, kernel.length), input: kernel }
}

/**
 * A kernel of which checkpoints are taken while it has no more than so many bytes of memory, and its keeper. Beside the kernel's
 * descriptors there is 5, over which the keeper is told what to do and tells of deaths. Linux only.
 */
export function pythonKeptKernelStart(
  { boot, copied, keeper }: Pick<CompiledModules, 'boot' | 'copied' | 'keeper'>,
  checkpointBytes: number,
): PythonStart {
  const args = compiledStart(boot, 3, copied.length, checkpointBytes, keeper.length)
  return { arguments: args, input: Buffer.concat([keeper, copied]) }
}

/**
 * A supervisor, which talks over descriptors 0 and 1 and starts kernels: for a place that has one stream in and one out. It takes
 * any interpreter, and must be alone with what it starts: to kill a cell is to kill every process but this one and the first.
 */
export function pythonSupervisorStart(): PythonStart {
  return startOn(0, Buffer.from(sources([...COPIED, ...SUPERVISOR]), 'utf8'))
}

/**
 * The supervisor of a kernel's twin, in the place of the kernel: without the interpreter, which the kernel adds, with what it hands
 * over. `compiled` are its modules, where they were (`pythonTwinModules()`).
 */
export function pythonTwinStart(compiled: Uint8Array = Buffer.from(pythonTwinModules(), 'utf8')): PythonStart {
  return startOn(0, compiled)
}

/** As `pythonModules()`: those of a twin's supervisor. */
export function pythonTwinModules(): string {
  return sources(TWIN)
}

/**
 * A supervisor behind a link, for a place that is reached over a connection that may break, and that it shares with others. `input`
 * is what the file `modules` in the folder must hold, which the link keeps its own files in.
 */
export function pythonLinkStart(folder: string): PythonStart {
  const input = Buffer.from(sources([...COPIED, ...SUPERVISOR, ...LINK]), 'utf8')
  return { arguments: ['-I', '-S', '-c', read('boot'), 'link', folder], input }
}

/**
 * A bridge to the kernels of a notebook, behind a link. `input` is as for `pythonLinkStart`; `notebook` is a program for the first cell
 * of a context, which finds the bridge by the variable `folder`.
 */
export function pythonBridgeStart(folder: string): PythonStart & { readonly notebook: string } {
  const input = Buffer.from(
    sources(['values', 'files', 'confine', 'frames', 'lines', 'link', 'processes', 'bridge']),
    'utf8',
  )
  const modules = JSON.stringify(NOTEBOOK.map((name) => [name, read(name)]))
  return {
    arguments: ['-I', '-S', '-c', read('boot'), 'bridge', folder],
    input,
    notebook: `modules = ${modules}\n${read('boot_notebook')}`,
  }
}

/** Limits of each process, where the system keeps them; undefined is as the host has it. */
export interface ProcessLimits {
  /** Open files. */
  readonly files?: number
  /** Bytes of one file. */
  readonly fileBytes?: number
  /** Processes and threads of the same user, which the system counts as it likes. */
  readonly processes?: number
  /** Descriptors by which it enters control groups (version 1: their `tasks`). They are closed then. */
  readonly doors?: readonly number[]
}

/** The same, in processes with these limits, and without core dumps. */
export function withProcessLimits(
  { arguments: args, input }: PythonStart,
  { files, fileBytes, processes, doors = [] }: ProcessLimits,
): PythonStart {
  const named = [
    ['CORE', 0],
    ['NOFILE', files],
    ['FSIZE', fileBytes],
    ['NPROC', processes],
  ] as const
  const limits = [...doors.map((door) => ['ENTER', door] as const), ...named].flatMap(([name, number]) =>
    number === undefined ? [] : [`${name}=${number}`],
  )
  const program = args.indexOf('-c') + 1
  const [before, after] = [args.slice(0, program), args.slice(program + 1)]
  return { arguments: [...before, `${read('rlimits')}\n${args[program]}`, limits.join(), ...after], input }
}

/**
 * Modules as JSON, `{ modules: [[name, source], …] }`, to be compiled: what starts a kernel, those of a kernel, of one that is
 * copied, of its keeper.
 */
export function pythonModules() {
  return { boot: sources(['boot']), kernel: sources(KERNEL), copied: sources(COPIED), keeper: sources(KEEPER) }
}

/** `numbers` are what `boot` is told, which itself comes last. */
function compiledStart(boot: Uint8Array, ...numbers: readonly number[]): readonly string[] {
  const program = 'import binascii, marshal, sys\nexec(marshal.loads(binascii.a2b_base64(sys.argv.pop()))[0][1])'
  return ['-I', '-S', '-c', program, ...numbers.map(String), Buffer.from(boot).toString('base64')]
}

function startOn(channel: number, input: Uint8Array): PythonStart {
  return { arguments: ['-I', '-S', '-c', read('boot'), String(channel), String(input.length)], input }
}

function sources(names: readonly string[]): string {
  return JSON.stringify({ modules: names.map((name) => [name, read(name)]) })
}

function read(name: string): string {
  return readFileSync(join(pythonKernelFolder(), `${name}.py`), 'utf8')
}
