import { BashScanner } from './lexical/bash.ts'
import { JavaScriptScanner } from './lexical/javascript.ts'
import { PythonScanner } from './lexical/python.ts'
import { RScanner } from './lexical/r.ts'
import { plainScanner, type Scanner } from './lexical/scanner.ts'

interface Language {
  readonly names: readonly string[]
  /** One line that prints, for prompts. */
  readonly example: string
  scanner(): Scanner
}

const languages: Readonly<Record<string, Language>> = {
  python: {
    names: ['python', 'python3', 'py', 'py3', 'ipython', 'tool_code'],
    example: "print('hello')",
    scanner: () => new PythonScanner(),
  },
  javascript: {
    names: ['javascript', 'js', 'mjs', 'node', 'nodejs'],
    example: "console.log('hello')",
    scanner: () => new JavaScriptScanner(),
  },
  typescript: {
    names: ['typescript', 'ts', 'mts'],
    example: "console.log('hello')",
    scanner: () => new JavaScriptScanner(),
  },
  bash: { names: ['bash', 'sh', 'shell'], example: 'echo hello', scanner: () => new BashScanner() },
  r: { names: ['r', 'rscript'], example: "print('hello')", scanner: () => new RScanner() },
}

/** Languages of scripts that no sandbox here runs: a block in one is read, so that the model hears which there are. */
const foreign: Readonly<Record<string, readonly string[]>> = {
  batch: ['batch', 'bat', 'cmd'],
  fish: ['fish'],
  julia: ['julia', 'jl'],
  lua: ['lua'],
  perl: ['perl', 'pl'],
  php: ['php'],
  powershell: ['powershell', 'pwsh', 'ps1'],
  ruby: ['ruby', 'rb'],
  zsh: ['zsh'],
}

const named = [
  ...Object.entries(languages).map(([name, { names }]) => ({ name, names })),
  ...Object.entries(foreign).map(([name, names]) => ({ name, names })),
]
const canonical = new Map(named.flatMap(({ name, names }) => names.map((alias) => [alias, name])))

/** The canonical name of a language that programs are written in to be run: `py` is `python`. Undefined for any other word. */
export function knownLanguage(name: string): string | undefined {
  return canonical.get(name.toLowerCase())
}

/** What follows the strings and comments of a language; of one that is not known, nothing. */
export function scannerFor(language: string): Scanner {
  return languageOf(language)?.scanner() ?? plainScanner
}

/** One line of code that prints, for a prompt; empty for a language that is not known. */
export function exampleIn(language: string): string {
  return languageOf(language)?.example ?? ''
}

function languageOf(language: string): Language | undefined {
  const name = knownLanguage(language)
  return name === undefined ? undefined : languages[name]
}
