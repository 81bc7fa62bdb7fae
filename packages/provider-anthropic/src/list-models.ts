import { modelError, noModels } from './errors.ts'
import { createServer } from './server.ts'
import { type AnthropicOptions, resolveSettings } from './settings.ts'

/**
 * The names of the models that the server lists, in its order: newest first. Takes the options of `anthropic()`.
 *
 * @throws CodeActError as a call to a model does
 */
export async function listModels(options: AnthropicOptions = {}): Promise<readonly string[]> {
  const server = createServer(resolveSettings(options))
  try {
    const names: string[] = []
    for await (const { id } of server.client.models.list({ limit: 1000 })) names.push(id)
    if (names.length === 0) throw noModels(server.baseURL)
    return names
  } catch (error) {
    throw modelError(error, server)
  }
}
