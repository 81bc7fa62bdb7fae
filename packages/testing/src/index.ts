export { describeExecutor, type ExecutorSuite, type SuiteOptions } from './describe-executor.ts'
export { type Requirement, requirement } from './requirement.ts'
