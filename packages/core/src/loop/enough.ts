import type { AssistantMessage, ModelEvent } from '@codeact/spec'

type End = Extract<ModelEvent, { type: 'end' }>

/**
 * The end of a reply that went on behind what was wanted of it: as if a stop sequence had ended it there. What a model makes
 * up behind its code, such as the output of it, is not kept.
 *
 * @param enough how many characters of the reply's text were wanted; all of them where undefined
 */
export function untilEnough(end: End, enough: number | undefined): Pick<End, 'message' | 'finish'> {
  if (enough === undefined || end.finish === 'refusal') return end
  return { message: { ...end.message, content: firstOf(end.message.content, enough) }, finish: 'stop-sequence' }
}

type Content = AssistantMessage['content']

function firstOf(content: Content, length: number): Content {
  const first: Content[number][] = []
  let left = length
  for (const part of content) {
    if (left === 0) break
    const text = part.type === 'text' ? part.text.slice(0, left) : ''
    left -= text.length
    first.push(part.type === 'text' ? { ...part, text } : part)
  }
  return first
}
