import { orAborted } from '@codeact/spec'
import type { PartStream } from './ai-sdk-model.ts'
import { isPart, type StreamPart } from './stream-part.ts'

/** The parts as they come. The stream is cancelled by an abort, whether or not it looks at the signal itself. */
export async function* partsOf(stream: PartStream, signal: AbortSignal): AsyncGenerator<StreamPart, void, undefined> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await orAborted(reader.read(), signal)
      if (done) return
      if (isPart(value)) yield value
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}
