import { type ServerSettings, serverVendor, type Vendor } from '@codeact/model'
import { faultOf } from './fault.ts'

/** How errors speak of the server, and of the model on it. */
export function vendorOf(settings: ServerSettings, model?: string): Vendor {
  const { baseURL } = settings
  return serverVendor(settings, {
    model,
    fault: faultOf,
    hints: {
      key: 'export ANTHROPIC_API_KEY=…, or pass apiKey.',
      address: 'Check the base URL: it is what stands before /v1/messages (https://api.anthropic.com).',
      reach: `curl ${baseURL}/v1/models`,
      models: `See which models there are: curl ${baseURL}/v1/models -H "x-api-key: $ANTHROPIC_API_KEY" -H "anthropic-version: 2023-06-01". If that fails too, the base URL is wrong; it ends before /v1.`,
      patience: 'anthropic(model, { maxRetries: 6 }).',
      request:
        'Check the fields in the option `request`; a model that gives less than 32000 tokens at once needs { max_tokens: 8000 } there.',
      context: 'A smaller max_tokens in the option `request` leaves more room, too.',
    },
  })
}
