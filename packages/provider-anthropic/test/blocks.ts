/** How a reply begins and ends, as the API sends it. */
export const start = (usage: object | null = { input_tokens: 11, output_tokens: 1 }): object => ({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  },
})

export const end = (
  reason: string | null = 'end_turn',
  usage: object | null = { output_tokens: 7 },
  more: object = {},
) => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null, ...more }, usage },
  { type: 'message_stop' },
]

/** One block: its start, its deltas, its stop. */
export const block = (index: number, content_block: object, ...deltas: object[]): object[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]

/** A block of text, a character at a time. */
export const textBlock = (index: number, text: string): object[] =>
  block(index, { type: 'text', text: '' }, ...Array.from(text, (one) => ({ type: 'text_delta', text: one })))

export const thinkingBlock = (index: number, thinking: string, signature: string): object[] =>
  block(
    index,
    { type: 'thinking', thinking: '', signature: '' },
    ...Array.from(thinking, (one) => ({ type: 'thinking_delta', thinking: one })),
    { type: 'signature_delta', signature },
  )

export const callBlock = (index: number, id: string, name: string, ...pieces: string[]): object[] =>
  block(
    index,
    { type: 'tool_use', id, name, input: {} },
    ...pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  )

export const reply = (text: string): object[] => [start(), ...textBlock(0, text), ...end()]

/** A failure in the API's own form. */
export const fault = (type: string, message: string): object => ({ type: 'error', error: { type, message } })
