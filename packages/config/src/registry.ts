import type { ActionParser, Executor, LanguageModel, ParserPicker } from '@codeact/spec'
import { z } from 'zod'
import { sandboxOptions } from './sandbox-options.ts'
import { amount, atLeastZero, flag, object, oneOf, text, texts } from './schema.ts'

/** Where a name leads, and what may stand beside it in a config. */
export interface Adapter {
  /** The package that is loaded when the name is used. */
  readonly package: string
  /** The function in it. */
  readonly export: string
  readonly options: z.ZodObject
  /** The option that a short form carries behind the colon: the model's name in `openai:gpt-5`. */
  readonly main?: string
  /** An option that a short form may carry behind the colon: the image in `docker:python:3.13-slim`. */
  readonly detail?: string
}

const request = z.record(z.string(), z.json(), { error: 'an object of fields for the request' })

const vendor = {
  model: text('the name of a model'),
  baseURL: text('a URL').optional(),
  apiKey: text().optional(),
  headers: texts('an object of headers').optional(),
  maxRetries: z.int({ error: 'a whole number' }).nonnegative({ error: 'a whole number' }).optional(),
  request: request.optional(),
}

const models = {
  openai: {
    package: '@codeact/provider-openai',
    export: 'openai',
    main: 'model',
    options: object({ name: z.literal('openai'), ...vendor, api: oneOf('responses', 'chat').optional() }),
  },
  anthropic: {
    package: '@codeact/provider-anthropic',
    export: 'anthropic',
    main: 'model',
    options: object({ name: z.literal('anthropic'), ...vendor }),
  },
  replay: {
    package: '@codeact/provider-replay',
    export: 'replay',
    main: 'file',
    options: object({
      name: z.literal('replay'),
      file: text('the path of a recording'),
      delayMs: atLeastZero('a number of milliseconds').optional(),
    }),
  },
} satisfies Record<string, Adapter>

const language = text('a language').optional()
const blocks = oneOf('all', 'first').optional()
const rest = oneOf('cut', 'drain').optional()

const direct = z.union([z.literal('all'), z.array(text())], { error: '"all", or a list of names of tools' })
const parserName = oneOf('tool-call', 'fenced', 'xml', 'code-only')

const parsers = {
  xml: {
    package: '@codeact/parsers',
    export: 'xml',
    options: object({ name: z.literal('xml'), tag: text('the name of a tag').optional(), language, blocks, rest }),
  },
  fenced: {
    package: '@codeact/parsers',
    export: 'fenced',
    options: object({ name: z.literal('fenced'), blocks, rest, untagged: language }),
  },
  'code-only': {
    package: '@codeact/parsers',
    export: 'codeOnly',
    options: object({ name: z.literal('code-only'), language }),
  },
  'tool-call': {
    package: '@codeact/parsers',
    export: 'toolCall',
    options: object({ name: z.literal('tool-call'), direct: direct.optional() }),
  },
  auto: {
    package: '@codeact/parsers',
    export: 'auto',
    options: object({
      name: z.literal('auto'),
      model: text('the id of a model').optional(),
      models: z.record(z.string(), parserName, { error: 'an object of parsers, by model' }).optional(),
    }),
  },
} satisfies Record<string, Adapter>

const executors = {
  wasm: {
    package: '@codeact/executor-wasm',
    export: 'wasm',
    options: object({ name: z.literal('wasm'), ...sandboxOptions }),
  },
  local: {
    package: '@codeact/executor-local',
    export: 'local',
    options: object({
      name: z.literal('local'),
      ...sandboxOptions,
      python: text('the name or the path of an interpreter').optional(),
      isolation: oneOf('bubblewrap', 'seatbelt', 'none').optional(),
    }),
  },
  docker: {
    package: '@codeact/executor-docker',
    export: 'docker',
    detail: 'image',
    options: object({
      name: z.literal('docker'),
      ...sandboxOptions,
      image: text('the name of an image').optional(),
      host: text('where Docker listens, as in DOCKER_HOST').optional(),
      context: text('the name of a Docker context').optional(),
      user: text('the numbers of a user and a group').optional(),
      workspace: object({ mount: text('a folder'), writable: flag().optional() }).optional(),
    }),
  },
  e2b: {
    package: '@codeact/executor-e2b',
    export: 'e2b',
    detail: 'template',
    options: object({
      name: z.literal('e2b'),
      ...sandboxOptions,
      backend: oneOf('kernel', 'jupyter').optional(),
      template: text('the name of a template').optional(),
      sandboxId: text('the id of a sandbox').optional(),
      idleMs: amount('a number of milliseconds above 0').optional(),
      keepAlive: flag().optional(),
      apiKey: text().optional(),
      domain: text('a domain').optional(),
      apiUrl: text('a URL').optional(),
      sandboxUrl: text('a URL').optional(),
    }),
  },
} satisfies Record<string, Adapter>

export type Role = keyof Parts

/** What plays each part. */
export interface Parts {
  readonly model: LanguageModel
  readonly parser: ActionParser | ParserPicker
  readonly executor: Executor
}

/** A name with its options, for each part. */
export interface Choices {
  readonly model: ModelChoice
  readonly parser: ParserChoice
  readonly executor: ExecutorChoice
}

/** Every adapter, by role and name. The only place that knows them. */
export const registry: Readonly<Record<Role, Readonly<Record<string, Adapter>>>> = {
  model: models,
  parser: parsers,
  executor: executors,
}

type ChoiceOf<Table extends Record<string, Adapter>> = z.infer<Table[keyof Table]['options']>

export type ModelChoice = ChoiceOf<typeof models>
export type ParserChoice = ChoiceOf<typeof parsers>
export type ExecutorChoice = ChoiceOf<typeof executors>

/** `openai:gpt-5`, `anthropic:…`, `replay:FILE`. */
export type ModelName = `${keyof typeof models}:${string}`
export type ParserName = keyof typeof parsers
/** `wasm`, `local`, `docker`, `docker:IMAGE`, `e2b`, `e2b:TEMPLATE`. */
export type ExecutorName = keyof typeof executors | `docker:${string}` | `e2b:${string}`
