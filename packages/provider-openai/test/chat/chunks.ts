/** Chunks as the API sends them: what is common to all, and one choice. */
export function chunk(delta: object, finish: string | null = null, choice: object = {}): object {
  return { ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish, ...choice }], usage: null }
}

function usageChunk(usage: object): object {
  return { ...head, choices: [], usage }
}

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_760_000_000, model: 'm' }

export const reply = (text: string): object[] => [
  chunk({ role: 'assistant', content: '', refusal: null }),
  ...Array.from(text, (character) => chunk({ content: character })),
  chunk({}, 'stop'),
  usageChunk({ prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }),
]
