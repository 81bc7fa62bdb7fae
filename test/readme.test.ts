import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ModelServer, startModelServer } from './support/model-server.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Snippet {
  readonly readme: string
  /** The file that the line above names, as in "`codeact.config.ts`:". */
  readonly file: string | undefined
  readonly line: number
  readonly language: string
  readonly code: string
}

async function readmes(): Promise<string[]> {
  const folders = await Promise.all(
    ['packages', 'apps'].map(async (top) => (await readdir(join(root, top))).map((name) => join(top, name))),
  )
  return ['README.md', ...folders.flat().map((folder) => join(folder, 'README.md'))]
}

async function snippetsOf(readme: string): Promise<Snippet[]> {
  const text = await readFile(join(root, readme), 'utf8')
  return [...text.matchAll(/(?:^`([\w.-]+)`:\n\n)?^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm)]
    .filter(({ 3: note = '' }) => !note.includes('ignore'))
    .map(({ 0: whole, 1: file, 2: language = '', 4: code = '', index }) => {
      const line = text.slice(0, index + whole.indexOf('```')).split('\n').length
      return { readme, file, line, language, code }
    })
}

const all = (await Promise.all((await readmes()).map(snippetsOf))).flat()

describe('the TypeScript in the READMEs', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  afterAll(() => server.close())

  it.for(all.filter(({ language }) => language === 'ts'))(
    'runs: $readme, line $line',
    { timeout: 90_000 },
    async ({ readme, code }) => {
      const folder = await userProject()
      try {
        for (const { file, code } of all.filter((one) => one.readme === readme)) {
          if (file !== undefined) await writeFile(join(folder, file), code)
        }
        await writeFile(join(folder, 'snippet.ts'), code)
        const environment = {
          ...process.env,
          OPENAI_API_KEY: 'test',
          OPENAI_BASE_URL: server.url,
          ANTHROPIC_API_KEY: 'test',
          ANTHROPIC_BASE_URL: new URL(server.url).origin,
          OLLAMA_HOST: new URL(server.url).origin,
        }
        const { status, output } = await run([join(folder, 'snippet.ts')], folder, environment)
        expect(status, output).toBe(0)
        if (code.includes('console.log')) expect(output.trim()).not.toBe('')
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  )
})

describe('the commands in the READMEs', () => {
  const commands = all
    .filter(({ language }) => language === 'sh')
    .flatMap(({ readme, code }) =>
      code
        .trim()
        .split('\n')
        .map((line) => `${readme}: ${line}`),
    )

  it('are those that are known here', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    for (const command of commands) {
      const known = [
        /: (sudo apt-get|npm|pnpm|npx|pip|python3 -m pip|git|cd|export|[A-Z_]+=\S+|#|codeact)/,
        ...Object.keys(scripts).map((name) => new RegExp(`npm (run )?${name}`)),
      ]
      expect(
        known.some((pattern) => pattern.test(command)),
        command,
      ).toBe(true)
      const script = /: (?:[A-Z_]+=\S+ )?npm (?:run )?(start|test|[a-z]+)/.exec(command)?.[1]
      if (script !== undefined && script !== 'install') expect(scripts, command).toHaveProperty(script)
    }
  })
})

/** A folder as a user would have it, with all the packages of these READMEs installed. */
async function userProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'codeact-readme-'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@codeact'), { recursive: true })
  for (const name of await readdir(join(root, 'packages'))) {
    await symlink(join(root, 'packages', name), join(modules, '@codeact', name))
  }
  await symlink(join(root, 'packages/config/node_modules/zod'), join(modules, 'zod'))
  return folder
}

async function run(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ status: number | null; output: string }> {
  const tsx = ['--conditions=@codeact/source', '--import', join(root, 'node_modules/tsx/dist/loader.mjs')]
  const child: ChildProcess = spawn(process.execPath, [...tsx, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, output: output.replaceAll(relative('/', root), '.') }
}
