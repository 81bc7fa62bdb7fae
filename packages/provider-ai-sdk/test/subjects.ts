import { createAnthropic } from '@ai-sdk/anthropic'
import { chatCompletions, type ModelSubject } from '@codeact/testing'
import { aiSdk } from '../src/index.ts'
import { makers } from './models.ts'

/** The AI SDK's own adapter to servers that speak Chat Completions, in each version of the specification. */
export const subjects: readonly ModelSubject[] = makers.map(([version, make]) => ({
  name: `aiSdk(), specification ${version}`,
  dialect: chatCompletions,
  model: ({ baseURL }, { maxRetries, ...settings }) => aiSdk(make({ baseURL, ...settings }), { maxRetries }),
  keyless: { variables: ['ANTHROPIC_API_KEY'], model: () => aiSdk(createAnthropic()('claude-sonnet-4-5')) },
  exceptions: {
    environment: 'The AI SDK’s own providers look for a server there, if any do.',
    'key.blank': 'The AI SDK takes a blank for a key.',
    'key.form': 'The AI SDK has the key, and looks at it when it is sent.',
    pause: 'Chat Completions has none.',
    ...(version === 'v4' ? {} : { refusal: 'The AI SDK passed over it before version 4.' }),
    'reasoning.order': 'Chat Completions has one for each reply.',
    'stop.told': 'The AI SDK does not pass it on.',
    'usage.cache-write': 'Chat Completions does not count it.',
    'whole-without-counts': 'The AI SDK ends a reply where its stream ends.',
  },
}))
