/** What is iterated, as a web stream: pulled piece by piece, and left when the stream is cancelled. */
export function streamOf<T>(source: AsyncIterable<T>): ReadableStream<T> {
  const iterator = source[Symbol.asyncIterator]()
  return new ReadableStream<T>({
    async pull(controller) {
      const { value, done } = await iterator.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    // An iterator that waits for its next value would not answer before it has come: it is not waited for.
    cancel() {
      void iterator.return?.()
    },
  })
}
