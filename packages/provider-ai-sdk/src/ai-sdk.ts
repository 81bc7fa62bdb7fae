import { defineModel } from '@codeact/model'
import type { LanguageModel } from '@codeact/spec'
import { type AiSdkModel, checkModel } from './ai-sdk-model.ts'
import { callOptions } from './call-options.ts'
import type { AiSdkOptions } from './options.ts'
import { partsOf } from './parts.ts'
import { PartReader } from './reply-reader.ts'
import { refusesStop } from './stop-hint.ts'
import { vendorOf } from './vendor.ts'

/**
 * Any model of the Vercel AI SDK: an object of its language model specification V2, V3 or V4, as its provider packages make
 * them. Keys, addresses and the like are that object's own affair.
 *
 * @throws CodeActError `MODEL_INVALID` for a model's name, or anything else that is no such object
 */
export function aiSdk(model: AiSdkModel, options: AiSdkOptions = {}): LanguageModel {
  checkModel(model)
  const name = `${model.provider}/${model.modelId}`
  const target = { name, version: model.specificationVersion }
  let takesStop = true
  return defineModel({
    id: `ai-sdk:${name}`,
    vendor: vendorOf(model, options),
    maxRetries: options.maxRetries,
    write: ({ stop, ...request }, without) =>
      callOptions(target, options, takesStop && !without.has('stop') ? { ...request, stop } : request),
    send: async (sent, abortSignal) => {
      const { stream, response } = await model.doStream({ ...sent, abortSignal } as never)
      return { events: partsOf(stream, abortSignal), contentType: response?.headers?.['content-type'] }
    },
    reader: () => new PartReader(name, () => (takesStop = false)),
    refusedBy: (fault, sent) => (sent.stopSequences !== undefined && refusesStop(fault) ? ['stop'] : []),
  })
}
