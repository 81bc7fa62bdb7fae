import { parseArgs } from 'node:util'
import { nearest } from '@codeact/config'
import { usageError } from './usage-error.ts'

/** What was typed, understood. */
export interface CommandLine {
  readonly command: 'task' | 'tasks' | 'chat' | 'resume' | 'models' | 'help' | 'version'
  /** The task; of `tasks`, the names of what to play; of `resume`, the log; of `help`, what it is about. */
  readonly words: readonly string[]
  readonly flags: Flags
}

export interface Flags {
  readonly model?: string
  readonly executor?: string
  readonly parser?: string
  readonly config?: string
  readonly 'base-url'?: string
  readonly 'max-steps'?: number
  /** Ask before code runs. */
  readonly approve?: boolean
  readonly json: boolean
  /** The file to which the events are added. */
  readonly log?: string
  /** Of `resume`: run the code of before again. */
  readonly rebuild?: boolean
}

const TEXT_FLAGS = ['model', 'executor', 'parser', 'config', 'base-url', 'max-steps', 'log'] as const
const SWITCHES = ['json', 'approve', 'rebuild', 'list-models', 'help', 'version'] as const
const COMMANDS = ['tasks', 'chat', 'resume', 'help', 'version'] as const
/** Nothing but the replies' code is up to choice when recordings are played. */
const FLAGS_OF_TASKS: readonly string[] = ['model', 'executor', 'config', 'base-url', 'json', 'help', 'version']

/** @throws CodeActError `USAGE` */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, words } = parse(args)
  const { help, version, json = false, approve, rebuild, 'list-models': list, 'max-steps': maxSteps, ...texts } = values
  const flags: Flags = {
    ...texts,
    json,
    ...(approve && { approve }),
    ...(rebuild && { rebuild }),
    ...(maxSteps === undefined ? {} : { 'max-steps': wholeNumber(maxSteps) }),
  }
  const [first = '', ...rest] = words
  const command = COMMANDS.find((name) => name === first)
  if (version || command === 'version') return { command: 'version', words: [], flags }
  if (list && !help) return { command: 'models', words: noWords(words), flags }
  if (help || command === 'help' || first === '') return { command: 'help', words: help ? words : rest, flags }
  refuseAround(command ?? 'task', rest, flags)
  if (command === undefined) return { command: 'task', words: [taskOf(words)], flags }
  if (command === 'tasks') refuseFlags(Object.keys(values))
  return { command, words: rest, flags }
}

/** What does not belong to a command. */
function refuseAround(command: CommandLine['command'], words: readonly string[], { approve, rebuild }: Flags): void {
  if (command === 'chat' && approve) throw usageError('codeact chat has no flag --approve: stdin is for its tasks.')
  if (command === 'chat' && words.length > 0)
    throw usageError('codeact chat takes no task: it reads them line by line.')
  if (command !== 'resume' && rebuild) throw usageError('--rebuild belongs to codeact resume FILE.')
  if (command === 'resume' && words.length !== 1) {
    throw usageError('codeact resume takes one file: the log to go on from.')
  }
}

interface Parsed {
  readonly values: { readonly [flag in (typeof TEXT_FLAGS)[number]]?: string } & {
    readonly [flag in (typeof SWITCHES)[number]]?: boolean
  }
  readonly words: readonly string[]
}

function parse(args: readonly string[]): Parsed {
  const options = {
    ...Object.fromEntries(TEXT_FLAGS.map((name) => [name, { type: 'string' as const }])),
    ...Object.fromEntries(SWITCHES.map((name) => [name, { type: 'boolean' as const }])),
    help: { type: 'boolean' as const, short: 'h' },
  }
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  for (const token of tokens) if (token.kind === 'option') checkFlag(token)
  return { values: values as Parsed['values'], words: positionals }
}

interface FlagToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function checkFlag({ name, rawName, value, inlineValue }: FlagToken): void {
  if (SWITCHES.some((known) => known === name)) {
    if (value !== undefined) throw usageError(`${rawName} takes no value.`)
    return
  }
  if (!TEXT_FLAGS.some((known) => known === name))
    throw unknown(`flag ${rawName}`, name, [...TEXT_FLAGS, ...SWITCHES], '--')
  // The next flag is not its value, and nor is nothing.
  if (!value || (inlineValue !== true && value.startsWith('--'))) throw usageError(`${rawName} needs a value.`)
}

/** A task is one argument. A lone word in small letters is rather a command that was mistyped. */
function taskOf(words: readonly string[]): string {
  const [task = '', ...rest] = words
  if (rest.length > 0)
    throw usageError('A task is one argument.', `Put it in quotes: codeact ${JSON.stringify(words.join(' '))}`)
  if (/^[a-z-]+$/.test(task)) throw unknown(`command ${task}`, task, COMMANDS)
  return task
}

function noWords(words: readonly string[]): readonly string[] {
  if (words.length > 0) throw usageError('codeact --list-models takes no task: it only lists models.')
  return words
}

function refuseFlags(given: readonly string[]): void {
  const flag = given.find((name) => !FLAGS_OF_TASKS.includes(name))
  if (flag !== undefined) {
    throw usageError(
      `codeact tasks has no flag --${flag}: it is set for each of the tasks.`,
      'codeact tasks --help shows what there is.',
    )
  }
}

function unknown(what: string, name: string, known: readonly string[], prefix = '') {
  const meant = nearest(name, known)
  const all = 'codeact --help shows what there is.'
  return usageError(`There is no ${what}.`, meant === undefined ? all : `Did you mean ${prefix}${meant}? ${all}`)
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw usageError(`--max-steps must be a whole number of at least 1, not ${text}.`)
  return Number(text)
}
