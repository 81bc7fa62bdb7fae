export { e2b } from './e2b.ts'
export type { E2bOptions } from './e2b-options.ts'
