import { secretsIn } from '@codeact/model'
import type { AiSdkModel } from './ai-sdk-model.ts'
import type { AiSdkOptions } from './options.ts'
import { isRecord } from './stream-part.ts'

/** Which variables hold what must not be told. */
const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$/i

/**
 * What must not show in a text that a server wrote. The model object has the key, and keeps it to itself; but it came from
 * the environment or goes out in the headers, and there it is looked for.
 */
export function secretsOf(model: AiSdkModel, { request = {} }: AiSdkOptions): readonly string[] {
  return [...headersOf(request.headers), ...headersOf(ownHeaders(model)), ...environment()]
}

/** The SDK's own providers keep them so; what fails or answers later is passed over. */
function ownHeaders(model: AiSdkModel): unknown {
  const config: unknown = Reflect.get(model, 'config')
  if (!isRecord(config)) return undefined
  try {
    return typeof config.headers === 'function' ? config.headers() : config.headers
  } catch {
    return undefined
  }
}

function headersOf(headers: unknown): string[] {
  return isRecord(headers) ? secretsIn(headers) : []
}

function environment(): string[] {
  return Object.entries(process.env).flatMap(([name, value = '']) => (SECRET_NAME.test(name) ? [value] : []))
}
