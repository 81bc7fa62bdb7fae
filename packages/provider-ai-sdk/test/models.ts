import { createOpenAICompatible as v2 } from 'ai-sdk-v2'
import { createOpenAICompatible as v3 } from 'ai-sdk-v3'
import { createOpenAICompatible as v4 } from 'ai-sdk-v4'
import type { AiSdkModel } from '../src/index.ts'

interface Settings {
  readonly baseURL: string
  readonly apiKey?: string
  readonly headers?: Record<string, string>
}

/** The real thing in each version of the specification: the AI SDK's own adapter to servers that speak Chat Completions. */
export const makers: readonly (readonly [version: string, make: (settings: Settings) => AiSdkModel])[] = [
  ['v2', (settings) => v2({ name: 'local', includeUsage: true, ...settings })('m')],
  ['v3', (settings) => v3({ name: 'local', includeUsage: true, ...settings })('m')],
  ['v4', (settings) => v4({ name: 'local', includeUsage: true, ...settings })('m')],
]

export interface Fake {
  readonly model: AiSdkModel
  /** What `doStream` was called with. */
  readonly calls: Record<string, unknown>[]
  isCancelled: boolean
}

/** A model object whose calls give these parts, the last list again and again; an error is thrown. */
export function fake(version: string, ...replies: (readonly unknown[] | Error)[]): Fake {
  const calls: Record<string, unknown>[] = []
  const doStream = async (options: Record<string, unknown>) => {
    calls.push(options)
    const parts = replies[Math.min(calls.length, replies.length) - 1] ?? []
    if (parts instanceof Error) throw parts
    return { stream: streamOf(parts, () => (made.isCancelled = true)) }
  }
  const made: Fake = {
    model: { specificationVersion: version, provider: 'vendor.chat', modelId: 'm', doStream },
    calls,
    isCancelled: false,
  }
  return made
}

function streamOf(parts: readonly unknown[], onCancel: () => void): ReadableStream<unknown> {
  const left = [...parts]
  return new ReadableStream({
    pull(controller) {
      if (left.length === 0) return controller.close()
      const part = left.shift()
      if (part === 'hang') return new Promise<void>(() => {})
      controller.enqueue(part)
    },
    cancel: onCancel,
  })
}

/** The end of a reply, as each version spells it. */
export function finish(version: string, reason = 'stop', more: object = {}): object {
  const isFlat = version === 'v2'
  return {
    type: 'finish',
    finishReason: isFlat ? reason : { unified: reason, raw: undefined },
    usage: isFlat
      ? { inputTokens: 11, outputTokens: 7, totalTokens: 18 }
      : {
          inputTokens: { total: 11, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: 7, text: undefined, reasoning: undefined },
        },
    ...more,
  }
}
