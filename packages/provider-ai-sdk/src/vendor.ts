import type { Vendor } from '@codeact/model'
import type { AiSdkModel } from './ai-sdk-model.ts'
import { faultOf } from './fault.ts'
import type { AiSdkOptions } from './options.ts'
import { secretsOf } from './secrets.ts'

/** How errors speak of a model object: its key and its address are its own affair. */
export function vendorOf(model: AiSdkModel, options: AiSdkOptions): Vendor {
  return {
    server: `the server of ${model.provider}`,
    model: model.modelId,
    secrets: () => secretsOf(model, options),
    fault: faultOf,
    hints: {
      key: 'the variable that the provider reads (export OPENAI_API_KEY=…), or its option apiKey.',
      address:
        'Check the baseURL that the provider was made with: servers that are compatible with OpenAI mostly serve under /v1.',
      models:
        'Check the name that was given to the provider, and the list of models of its vendor; if it is right, the baseURL of the provider.',
      patience: 'aiSdk(model, { maxRetries: 6 }).',
      request:
        'Check what was sent: the option `request` of aiSdk(), those of the model object, and the length of the transcript.',
    },
  }
}
