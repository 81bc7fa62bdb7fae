import { inspect } from 'node:util'
import { CodeActError, type LanguageModel } from '@codeact/spec'
import { expect } from 'vitest'
import { drain } from './hear.ts'
import { type Answer, type ModelServer, modelServer } from './model-server.ts'

/** The error of a call, which must be of the one class. */
export async function failureOf(call: Promise<unknown>): Promise<CodeActError> {
  const error = await call.then(
    (value) => new Error(`It did not fail: ${inspect(value)}`),
    (reason: unknown) => reason,
  )
  if (CodeActError.is(error)) return error
  throw new Error(`Not a CodeActError: ${inspect(error)}`)
}

/** The error of making a model, or else of a call to it. */
export function failureWith(make: () => LanguageModel): Promise<CodeActError> {
  return failureOf((async () => drain(make()))())
}

/** The same of a model of a server that answers so. */
export async function failureAt(answer: Answer, make: (server: ModelServer) => LanguageModel): Promise<CodeActError> {
  await using server = await modelServer(answer)
  return await failureWith(() => make(server))
}

/** The code, whether another try may help, and words for the operator. */
export function expectError(error: CodeActError, code: string, isRetryable: boolean): void {
  expect(error).toMatchObject({
    code,
    isRetryable,
    hint: expect.stringMatching(/\w/),
    message: expect.stringMatching(/\w/),
  })
}
