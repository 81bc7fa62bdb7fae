import { type ServerSettings, serverVendor, type Vendor } from '@codeact/model'
import { faultOf } from './fault.ts'

/** How errors speak of the server, and of the model on it. */
export function vendorOf(settings: ServerSettings, model?: string): Vendor {
  const { baseURL } = settings
  return serverVendor(settings, {
    model,
    fault: faultOf,
    hints: {
      key: 'export OPENAI_API_KEY=…, or pass apiKey.',
      address:
        'Check the base URL: servers that are compatible with OpenAI mostly serve under /v1 (http://localhost:11434/v1).',
      reach: `curl ${baseURL}/models`,
      models: `See which models there are: curl ${baseURL}/models. If that fails too, the base URL is wrong; it mostly ends in /v1.`,
      patience: 'openai(model, { maxRetries: 6 }).',
      request: `Check what was sent${model === undefined ? '' : ` to ${JSON.stringify(model)}`}: the fields in the option \`request\`, and the length of the transcript.`,
      context:
        'A server of your own may only need a larger window: OLLAMA_CONTEXT_LENGTH=32768 ollama serve, vllm serve --max-model-len 32768.',
    },
  })
}
