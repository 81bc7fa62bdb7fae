/** What a reply of the Responses API is made of, in its order. */
export type ItemScript =
  | { readonly text: readonly string[]; readonly phase?: string }
  | { readonly refusal: readonly string[] }
  | { readonly summary: readonly string[]; readonly encrypted?: string }
  | { readonly call: string; readonly name: string; readonly json: readonly string[] }

type Body = Record<string, unknown>

const USAGE = { input_tokens: 11, output_tokens: 7, total_tokens: 18 }

/** The events of one whole reply, numbered, as the API sends them. */
export function responseEvents(items: readonly ItemScript[], end: object = completed()): object[] {
  const head = { id: 'resp_1', object: 'response', status: 'in_progress', error: null, output: [], usage: null }
  const events: Body[] = [
    { type: 'response.created', response: head },
    { type: 'response.in_progress', response: head },
    ...items.flatMap((item, index) => itemEvents(item, index)),
    end as Body,
  ]
  return events.map(({ type, ...rest }, sequence_number) => ({ type, sequence_number, ...rest }))
}

export function completed(usage: object | null = USAGE): object {
  return { type: 'response.completed', response: { id: 'resp_1', status: 'completed', error: null, usage } }
}

export function incomplete(reason: string, usage: object | null = USAGE): object {
  const response = { id: 'resp_1', status: 'incomplete', error: null, incomplete_details: { reason }, usage }
  return { type: 'response.incomplete', response }
}

export function failed(code: string, message: string): object {
  return { type: 'response.failed', response: { id: 'resp_1', status: 'failed', error: { code, message } } }
}

/** The reasoning item that a script comes to: what must be kept, and come back. */
export function reasoningItem(index: number, summary: readonly string[], encrypted?: string): Body {
  return {
    id: `rs_${index}`,
    type: 'reasoning',
    ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
    summary: summary.length === 0 ? [] : [{ type: 'summary_text', text: summary.join('') }],
  }
}

function itemEvents(item: ItemScript, output_index: number): Body[] {
  if ('summary' in item) return reasoningEvents(item.summary, item.encrypted, output_index)
  if ('call' in item) return callEvents(item, output_index)
  return messageEvents(item, output_index)
}

function reasoningEvents(summary: readonly string[], encrypted: string | undefined, output_index: number): Body[] {
  const at = { item_id: `rs_${output_index}`, output_index, summary_index: 0 }
  const parts = [
    { type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } },
    ...summary.map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, delta, obfuscation: 'x7' })),
    { type: 'response.reasoning_summary_text.done', ...at, text: summary.join('') },
    { type: 'response.reasoning_summary_part.done', ...at, part: { type: 'summary_text', text: summary.join('') } },
  ]
  return [
    // What is encrypted so far is not the whole.
    {
      type: 'response.output_item.added',
      output_index,
      item: reasoningItem(output_index, [], encrypted && 'gAAA-begun'),
    },
    ...(summary.length > 0 ? parts : []),
    { type: 'response.output_item.done', output_index, item: reasoningItem(output_index, summary, encrypted) },
  ]
}

function callEvents({ call, name, json }: Extract<ItemScript, { call: string }>, output_index: number): Body[] {
  const at = { item_id: `fc_${output_index}`, output_index }
  const item = { id: at.item_id, type: 'function_call', call_id: call, name }
  return [
    { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', arguments: '' } },
    ...json.map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
    { type: 'response.function_call_arguments.done', ...at, arguments: json.join('') },
    {
      type: 'response.output_item.done',
      output_index,
      item: { ...item, status: 'completed', arguments: json.join('') },
    },
  ]
}

function messageEvents(
  script: Exclude<ItemScript, { call: string } | { summary: unknown }>,
  output_index: number,
): Body[] {
  const [kind, pieces] = 'text' in script ? ['output_text', script.text] : ['refusal', script.refusal]
  const field = kind === 'refusal' ? 'refusal' : 'text'
  const phase = 'text' in script && script.phase !== undefined ? { phase: script.phase } : {}
  const at = { item_id: `msg_${output_index}`, output_index, content_index: 0 }
  const item = { id: at.item_id, type: 'message', role: 'assistant', ...phase }
  const part = { type: kind, [field]: pieces.join('') }
  return [
    { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', ...at, part: { type: kind, [field]: '' } },
    ...pieces.map((delta) => ({ type: `response.${kind}.delta`, ...at, delta, logprobs: [], obfuscation: 'aB3' })),
    { type: `response.${kind}.done`, ...at, [field]: pieces.join('') },
    { type: 'response.content_part.done', ...at, part },
    { type: 'response.output_item.done', output_index, item: { ...item, status: 'completed', content: [part] } },
  ]
}
