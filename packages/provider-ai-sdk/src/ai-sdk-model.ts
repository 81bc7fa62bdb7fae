import { CodeActError } from '@codeact/spec'

/**
 * What is used of a model object of the AI SDK. Every `LanguageModelV2`, `V3` and `V4` fits, without a word of the SDK here:
 * their types need not be installed, and an object of one's own may fit as well.
 */
export interface AiSdkModel {
  readonly specificationVersion: string
  /** For example `openai.responses`. */
  readonly provider: string
  readonly modelId: string
  doStream(options: never): PromiseLike<Streamed>
}

export interface Streamed {
  readonly stream: PartStream
  readonly response?: { readonly headers?: Readonly<Record<string, string>> }
}

/** A `ReadableStream` of stream parts. */
export interface PartStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>
    cancel(reason?: unknown): Promise<void>
  }
}

export type SpecVersion = 'v2' | 'v3' | 'v4'

const VERSIONS: readonly string[] = ['v2', 'v3', 'v4'] satisfies SpecVersion[]

const PASS = "Pass the object that a provider package makes: aiSdk(anthropic('claude-sonnet-4-5')), with anthropic"

/** Throws `MODEL_INVALID`, which says what was given, for anything but a model object of a version that is known here. */
export function checkModel(
  model: unknown,
): asserts model is AiSdkModel & { readonly specificationVersion: SpecVersion } {
  const fault = faultOf(model)
  if (fault === undefined) return
  throw new CodeActError('MODEL_INVALID', `aiSdk() takes a model object of the AI SDK, and was given ${fault}.`, {
    hint: `${PASS} from @ai-sdk/anthropic. Models of specification v2, v3 and v4 can be used (AI SDK 5 and later).`,
  })
}

function faultOf(model: unknown): string | undefined {
  if (typeof model === 'string') return `the text ${JSON.stringify(model)}`
  if (typeof model === 'function')
    return 'a function: a provider, it seems, that was not yet called with a model’s name'
  if (typeof model !== 'object' || model === null) return String(model)
  const { specificationVersion: version, doStream, provider, modelId } = model as Partial<AiSdkModel>
  if (typeof version !== 'string') return 'an object that is none: it has no specificationVersion'
  if (!VERSIONS.includes(version)) return `one of specification ${version}`
  if (typeof doStream !== 'function') return 'an object that cannot stream: it has no doStream()'
  return typeof provider === 'string' && typeof modelId === 'string'
    ? undefined
    : 'one without a provider and a modelId'
}
