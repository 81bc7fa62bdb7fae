import { inspect } from 'node:util'
import { CodeActError } from '@codeact/spec'
import { drain } from './hear.ts'
import type { Answer } from './model-server.ts'
import type { ModelOptions, Subject } from './subject.ts'

/** The error of a call, which must be of the one class. */
export async function failureOf(call: Promise<unknown>): Promise<CodeActError> {
  const error = await call.then(
    (value) => new Error(`It did not fail: ${inspect(value)}`),
    (reason: unknown) => reason,
  )
  if (CodeActError.is(error)) return error
  throw new Error(`Not a CodeActError: ${inspect(error)}`)
}

/** The error of one try at a server that answers so. */
export async function failureAt(subject: Subject, answer: Answer, options: ModelOptions = {}): Promise<CodeActError> {
  await using server = await subject.serve(answer)
  return await failureOf(drain(subject.model(server, { maxRetries: 0, ...options })))
}
