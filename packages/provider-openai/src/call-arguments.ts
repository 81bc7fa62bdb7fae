/**
 * The arguments of a call as they go back: always an object. Servers that fill a template with them (vLLM, llama.cpp) refuse
 * anything else, in each request from then on. What the model wrote is left as it is, or stands in the object as text.
 */
export function callArguments(json: string): string {
  if (json.trim() === '') return '{}'
  return isObject(json) ? json : JSON.stringify({ INVALID_JSON: json })
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
