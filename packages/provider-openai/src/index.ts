export { openai } from './openai.ts'
export type { OpenAIOptions } from './settings.ts'
