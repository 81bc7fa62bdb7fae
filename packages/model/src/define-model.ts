import type { LanguageModel, ModelEvent, ModelRequest } from '@codeact/spec'
import { Call } from './call.ts'
import type { ModelDefinition } from './definition.ts'
import { listen } from './listen.ts'
import { faultOf, modelError } from './model-error.ts'
import { Refusals } from './refusals.ts'
import { Tries } from './tries.ts'

/**
 * A language model, made of what a provider gives. It keeps what `LanguageModel` promises: an abort ends the request at once,
 * and so does leaving the loop, or having heard enough; a call that failed before anything was told is tried again; what a
 * server refuses and can be done without is left out from then on; a failure is a `CodeActError` with a stable code, a hint
 * and no secret.
 *
 * Its streams throw `MODEL_ABORTED`, `MODEL_AUTH`, `MODEL_BAD_REQUEST`, `MODEL_BAD_RESPONSE`, `MODEL_BASE_URL`,
 * `MODEL_CONTENT_REFUSED`, `MODEL_CONTEXT_LENGTH`, `MODEL_KEY_MISSING`, `MODEL_NETWORK`, `MODEL_NOT_FOUND`,
 * `MODEL_OVERLOADED`, `MODEL_RATE_LIMIT` or `MODEL_STREAM_CUT`.
 */
export function defineModel<Body, Event>(definition: ModelDefinition<Body, Event>): LanguageModel {
  const refusals = new Refusals()
  return { id: definition.id, stream: (request) => streamReply(definition, refusals, request) }
}

async function* streamReply<Body, Event>(
  definition: ModelDefinition<Body, Event>,
  refusals: Refusals,
  request: ModelRequest,
): AsyncGenerator<ModelEvent, void, undefined> {
  const call = new Call(request)
  const tries = new Tries(definition.maxRetries, call)
  try {
    let isOver = false
    while (!isOver) isOver = yield* tryOnce(definition, refusals, tries, request, call)
  } finally {
    call.end() // however the loop was left: nothing goes on behind it
  }
}

/** False when it failed before anything was told, and another try is due. */
async function* tryOnce<Body, Event>(
  definition: ModelDefinition<Body, Event>,
  refusals: Refusals,
  tries: Tries,
  request: ModelRequest,
  call: Call,
): AsyncGenerator<ModelEvent, boolean, undefined> {
  call.throwIfAborted()
  const without = refusals.names
  const body = definition.write(request, without)
  const progress = { hasBegun: false, hasEvents: false, hasSpoken: false }
  try {
    yield* listen(definition, body, call, progress)
    return true
  } catch (thrown) {
    call.throwIfAborted()
    const { vendor } = definition
    const fault = faultOf(thrown, vendor, progress.hasBegun)
    if (fault === undefined) throw thrown // a finished error
    const error = modelError(thrown, fault, vendor)
    if (progress.hasSpoken) throw error
    if (!refusals.learn(definition, fault, body, without)) await tries.pauseBefore(error, fault)
    return false
  }
}
