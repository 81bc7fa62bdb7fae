export { type ListModelsOptions, listModels } from './list-models.ts'
export { openai } from './openai.ts'
export type { OpenAIOptions } from './settings.ts'
