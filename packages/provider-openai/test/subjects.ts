import { chatCompletions, type Keyless, type ModelSubject } from '@codeact/testing'
import { openai } from '../src/index.ts'
import { responses } from './responses/dialect.ts'

const keyless: Keyless = {
  variables: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  model: () => openai('gpt-5'),
  named: ({ baseURL }) => ({ OPENAI_BASE_URL: baseURL }),
}

export const chatSubject: ModelSubject = {
  name: 'openai(), Chat Completions',
  dialect: chatCompletions,
  model: ({ baseURL }, options) => openai('m', { api: 'chat', baseURL, ...options }),
  keyless,
  exceptions: {
    pause: 'The API has none.',
    reasoning: 'The API takes none back.',
    'reasoning.order': 'The API takes none back.',
    'usage.cache-write': 'The API does not count it.',
  },
}

export const responsesSubject: ModelSubject = {
  name: 'openai(), Responses',
  dialect: responses,
  model: ({ baseURL }, options) => openai('m', { api: 'responses', baseURL, ...options }),
  keyless: { ...keyless, model: () => openai('gpt-5', { api: 'responses' }) },
  exceptions: { pause: 'The API has none.', stop: 'The API has none.', 'stop.told': 'The API has none.' },
}
