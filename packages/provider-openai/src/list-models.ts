import { orAborted } from '@codeact/spec'
import { linkAbort, modelAborted } from './abort.ts'
import { modelError, notAList } from './errors.ts'
import { createServer, type Server } from './server.ts'
import { type OpenAIOptions, resolveSettings } from './settings.ts'

/** Where the models are, as for `openai()`. */
export interface ListModelsOptions extends Pick<OpenAIOptions, 'baseURL' | 'apiKey' | 'headers' | 'maxRetries'> {
  readonly signal?: AbortSignal
}

/**
 * The names of the models that the server lists, sorted: what `openai()` takes as its first argument.
 *
 * @throws CodeActError as `openai()` and its streams do
 */
export async function listModels(options: ListModelsOptions = {}): Promise<readonly string[]> {
  const server = createServer(resolveSettings(options))
  const { signal, release } = linkAbort(options.signal)
  try {
    return await orAborted(namesOf(server, signal), signal, () => modelAborted(signal))
  } catch (error) {
    throw modelError(error, server, undefined, signal)
  } finally {
    release()
  }
}

async function namesOf(server: Server, signal: AbortSignal): Promise<string[]> {
  const { data, response } = await server.client.models.list({ signal }).withResponse()
  const contentType = response.headers.get('content-type') ?? 'something without a type'
  if (!contentType.includes('json')) throw notAList(server.baseURL, contentType)
  const names: string[] = []
  for await (const { id } of data) names.push(id)
  return names.sort()
}
