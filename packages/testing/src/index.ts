export { describeExecutor, type ExecutorSuite, type SuiteOptions } from './describe-executor.ts'
export { describeFaults, type FaultPart, type FaultSuite } from './describe-faults.ts'
export { describeFourTasks, type FourTaskSuite, type SessionAgent } from './describe-four-tasks.ts'
export { describeIsolation, type IsolationSuite } from './describe-isolation.ts'
export { describeKernel, type KernelSuite } from './describe-kernel.ts'
export { describeModel, type ModelPart, type ModelSuite } from './describe-model.ts'
export type { HostLeniency } from './faults/host-watch.ts'
export type { Leftovers } from './faults/oracles.ts'
export { PYTHON_SNIPPETS } from './kernel/python.ts'
export type { Snippets } from './kernel/snippets.ts'
export { chatCompletions } from './model/chat-completions.ts'
export {
  COUNTS,
  type Dialect,
  type Failure,
  type Fault,
  type Heard,
  type HeardItem,
  type Said,
  type Script,
} from './model/dialect.ts'
export { failureAt, failureOf } from './model/failure.ts'
export type { Turn } from './model/four-tasks.ts'
export { drain, type EndEvent, endOf, hearUntil, joined, task } from './model/hear.ts'
export {
  type Answer,
  deadAddress,
  type ModelAddress,
  type ModelServer,
  modelServer,
  type Received,
} from './model/model-server.ts'
export type { Keyless, ModelOptions, ModelPromise, ModelSubject } from './model/subject.ts'
export { answered, begun, eventStream, type Streaming, slices, streamed, type WireEvent } from './model/wire.ts'
export { onRequest, type Requirement, requirement } from './requirement.ts'
