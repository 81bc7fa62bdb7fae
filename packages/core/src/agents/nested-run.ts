import type { CodeActEvent, EventBody, Run } from '@codeact/spec'

/** Puts the events of a run into the stream of the one around it, and gives its result. */
export async function nestedRun<Result>(
  run: Run<CodeActEvent, Result>,
  emit: (body: EventBody) => void,
): Promise<Result> {
  for await (const { v, seq, at, run: id, ...body } of run) emit(body)
  return run
}
