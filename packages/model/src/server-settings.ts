import { CodeActError, type JsonValue } from '@codeact/spec'

/** What a provider that speaks to a server by HTTP takes, whoever the vendor is. */
export interface ServerOptions {
  /** Default: the environment's, else the vendor's own. */
  readonly baseURL?: string
  /** Default: the environment's. A server that a base URL names is called without, with the key `none`. */
  readonly apiKey?: string
  /** Sent with every request. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** How often a call that failed before anything of its reply came is tried again, with growing pauses. Default 2. */
  readonly maxRetries?: number
  /** More fields for the body of every request, in the API's own words. Default: none. */
  readonly request?: Readonly<Record<string, JsonValue>>
}

/** The options, with the environment and the defaults filled in. */
export interface ServerSettings {
  readonly baseURL: string
  readonly apiKey: string
  /** False when `apiKey` is only there because a request needs one. */
  readonly hasKey: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly maxRetries: number
  readonly request: Readonly<Record<string, JsonValue>>
}

/** What a vendor calls things. */
export interface ServerNames {
  /** As people say it: `OpenAI`. */
  readonly vendor: string
  /** The variable with the key: `OPENAI_API_KEY`. */
  readonly keyVariable: string
  /** How a key begins: `sk-…`. */
  readonly keyExample: string
  /** The variable with the base URL: `OPENAI_BASE_URL`. */
  readonly urlVariable: string
  /** The vendor's own base URL. */
  readonly url: string
  /** A base URL of one's own, as it is to be written: `http://localhost:11434/v1`. */
  readonly urlExample: string
}

/**
 * Fills in what the options leave out, and checks the key and the base URL.
 *
 * @throws CodeActError `MODEL_KEY_MISSING` when there is neither a key nor a base URL; `MODEL_AUTH` when the key cannot be
 * one; `MODEL_BASE_URL` when the base URL is not one, or holds a password
 */
export function resolveServer(
  options: ServerOptions,
  names: ServerNames,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ServerSettings {
  const apiKey = (options.apiKey ?? env[names.keyVariable])?.trim()
  const baseURL = (options.baseURL ?? env[names.urlVariable])?.trim()
  if (!apiKey && !baseURL) throw keyMissing(names)
  if (apiKey) checkKey(apiKey, names)
  if (baseURL) checkURL(baseURL, names)
  return {
    baseURL: baseURL || names.url,
    apiKey: apiKey || 'none',
    hasKey: Boolean(apiKey),
    headers: options.headers ?? {},
    maxRetries: options.maxRetries ?? 2,
    request: options.request ?? {},
  }
}

function keyMissing({ vendor, keyVariable, keyExample, urlVariable, urlExample }: ServerNames): CodeActError {
  return new CodeActError('MODEL_KEY_MISSING', `There is no key for ${vendor}.`, {
    hint: `Set one (export ${keyVariable}=${keyExample}), or name a server that needs none: baseURL (or ${urlVariable}) ${urlExample}.`,
  })
}

/** A key that cannot stand in a header would fail later, in words that repeat it. */
function checkKey(apiKey: string, { vendor, keyVariable, keyExample }: ServerNames): void {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return
  const message = `The key for ${vendor} holds a line break, a space or another foreign character.`
  throw new CodeActError('MODEL_AUTH', message, {
    hint: `Copy it again, in one piece: export ${keyVariable}=${keyExample}`,
  })
}

function checkURL(text: string, { urlExample }: ServerNames): void {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // A host without a scheme parses as a scheme of its own: `localhost:`.
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return
  const fault = url?.username || url?.password ? 'holds a user name or password' : 'is not an http or https URL'
  throw new CodeActError('MODEL_BASE_URL', `The base URL of the model server ${fault}.`, {
    hint: `Write it as ${urlExample}; a secret goes into apiKey or headers.`,
  })
}
