import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { CodeActEvent } from '@codeact/spec'

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url))

export interface CliOptions {
  /** Over the environment of this process, of which no key, model, executor or parser gets through. */
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  readonly stdin?: string
  /** Another copy of the command. */
  readonly cli?: string
}

export interface Finished {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts the command from its sources, as `pnpm codeact` does. */
export function startCli(
  args: readonly string[],
  options: CliOptions = {},
): ChildProcess & { finished: Promise<Finished> } {
  const { env = {}, cwd, stdin, cli = CLI } = options
  const child = spawn(process.execPath, ['--conditions=@codeact/source', '--import', TSX, cli, ...args], {
    cwd,
    env: { ...bare(process.env), ...env },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(stdin)
  let [stdout, stderr] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return Object.assign(child, { finished })
}

export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<Finished> {
  return startCli(args, options).finished
}

/** Resolves as soon as the command has said this on stdout. */
export async function said(child: ReturnType<typeof startCli>, words: string): Promise<void> {
  let text = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (piece) => {
      text += piece
      if (text.includes(words)) resolve()
    })
    child.finished.then(({ code, stderr }) => reject(new Error(`it ended first, with ${code}: ${stderr}`)), reject)
  })
}

/** stdout of `--json`: every line must be an event. */
export function eventsOf({ stdout }: Finished): CodeActEvent[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as CodeActEvent)
}

function bare(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^(OPENAI|ANTHROPIC|E2B)_|^CODEACT_(MODEL|EXECUTOR|PARSER|BASE_URL)$|^(NO|FORCE)_COLOR$/.test(name),
    ),
  )
}
