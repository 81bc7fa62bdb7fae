/** The API's words for what went wrong, where an error comes in the stream and so without a status. */
const STATUS: readonly [RegExp, number][] = [
  [/^(rate_limit_exceeded|too_many_requests|insufficient_quota)$/, 429],
  [/^(server_error|internal_server_error|vector_store_timeout)$/, 500],
  [/^(overloaded|server_overloaded|slow_down|service_unavailable)$/, 503],
  [/^(context_length_exceeded|data_residency_mismatch|invalid_.*|.*image.*|.*policy.*|content_filter)$/, 400],
]

/** The status that an error in a stream would have had; undefined where its code says nothing known. */
export function statusOfCode(code: unknown): number | undefined {
  if (Number(code) >= 400) return Number(code)
  return STATUS.find(([words]) => words.test(String(code)))?.[1]
}
