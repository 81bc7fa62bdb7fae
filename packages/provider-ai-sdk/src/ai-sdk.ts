import { type LanguageModel, type ModelEvent, type ModelRequest, orAborted } from '@codeact/spec'
import { linkAbort, modelAborted } from './abort.ts'
import { type AiSdkModel, checkModel, type PartStream } from './ai-sdk-model.ts'
import { type CallOptions, callOptions } from './call-options.ts'
import { modelError, reasonOf, StreamFault } from './errors.ts'
import type { AiSdkOptions } from './options.ts'
import { ReplyReader } from './reply-reader.ts'
import { type PauseBefore, retries } from './retries.ts'
import { secretsOf } from './secrets.ts'
import { StopHint } from './stop-hint.ts'
import { isPart, type StreamPart } from './stream-part.ts'
import type { Target } from './target.ts'

/**
 * Any model of the Vercel AI SDK: an object of its language model specification V2, V3 or V4, as its provider packages make
 * them. Keys, addresses and the like are that object's own affair.
 *
 * @throws CodeActError `MODEL_INVALID` for a model's name, or anything else that is no such object
 */
export function aiSdk(model: AiSdkModel, options: AiSdkOptions = {}): LanguageModel {
  checkModel(model)
  const target: Target = {
    model,
    name: `${model.provider}/${model.modelId}`,
    version: model.specificationVersion,
    redact: (text) => secretsOf(model, options)(text),
  }
  const stop = new StopHint()
  return {
    id: `ai-sdk:${target.name}`,
    stream: (request) => streamReply(target, options, stop, request),
  }
}

async function* streamReply(
  target: Target,
  options: AiSdkOptions,
  stop: StopHint,
  request: ModelRequest,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { signal, release } = linkAbort(request.signal)
  const pauseBefore = retries(options.maxRetries, signal)
  try {
    for (;;) {
      const sent = callOptions(target, options, request, stop, signal)
      if (yield* tryOnce(target, sent, stop, pauseBefore, signal)) return
    }
  } finally {
    release() // however the loop was left: nothing goes on behind it
  }
}

/** False when it failed before anything was handed on, and another try is due. */
async function* tryOnce(
  target: Target,
  sent: CallOptions,
  stop: StopHint,
  pauseBefore: PauseBefore,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, boolean, undefined> {
  let hasSpoken = false
  try {
    for await (const event of listen(target, sent, stop, signal)) {
      hasSpoken = true
      yield event
    }
    return true
  } catch (reason) {
    const error = modelError(reason, target, signal)
    if (hasSpoken) throw error
    if (stop.learn(reasonOf(reason), sent)) return false
    await pauseBefore(error, reason)
    return false
  }
}

/** One call, from its request to its end. */
async function* listen(
  { model, name }: Target,
  sent: CallOptions,
  stop: StopHint,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  const aborted = () => modelAborted(signal)
  if (signal.aborted) throw aborted()
  const { stream, response } = await orAborted(Promise.resolve(model.doStream(sent as never)), signal, aborted)
  const reply = new ReplyReader(name, response?.headers?.['content-type'])
  for await (const part of partsOf(stream, signal)) {
    if (part.type === 'stream-start') stop.heed(part.warnings)
    yield* reply.read(part)
  }
  yield* reply.end()
}

/** The parts as they come. Whoever leaves early cancels the stream, and is not kept waiting for that. */
async function* partsOf(stream: PartStream, signal: AbortSignal): AsyncGenerator<StreamPart, void, undefined> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await orAborted(reader.read(), signal, () => modelAborted(signal)).catch(inStream)
      if (done) return
      if (isPart(value)) yield value
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

function inStream(reason: unknown): never {
  throw new StreamFault(reason)
}
