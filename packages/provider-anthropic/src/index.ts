export { anthropic } from './anthropic.ts'
export { listModels } from './list-models.ts'
export type { AnthropicOptions } from './settings.ts'
