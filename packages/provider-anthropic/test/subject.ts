import type { ModelSubject } from '@codeact/testing'
import { anthropic } from '../src/index.ts'
import { messages } from './dialect.ts'

export const subject: ModelSubject = {
  name: 'anthropic()',
  dialect: messages,
  model: ({ origin }, options) => anthropic('m', { baseURL: origin, ...options }),
  keyless: {
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
    model: () => anthropic('claude'),
    named: ({ origin }) => ({ ANTHROPIC_BASE_URL: origin }),
  },
}
