import { secretsIn } from './redact.ts'
import type { ServerSettings } from './server-settings.ts'
import type { Vendor } from './vendor.ts'

/** The vendor whose server these settings name. Its own are the hints, what its errors mean, and the model. */
export function serverVendor(
  { baseURL, apiKey, hasKey, headers }: ServerSettings,
  own: Pick<Vendor, 'model' | 'hints' | 'fault'>,
): Vendor {
  return { ...own, server: baseURL, hasKey, secrets: () => [...(hasKey ? [apiKey] : []), ...secretsIn(headers)] }
}
