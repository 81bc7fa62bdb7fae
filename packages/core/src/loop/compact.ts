import { newId } from '@codeact/spec'
import type { LoopContext } from './context.ts'
import { inventory } from './inventory.ts'
import { keepText } from './keep-text.ts'
import { orStopped, type Scope } from './scope.ts'

/** Makes the transcript shorter where it has grown over what the memory lets it: said as an event, and never in silence. */
export async function compact(context: LoopContext, scope: Scope): Promise<void> {
  const { transcript, memory, sandbox } = context
  const before = transcript.tokens
  if (before <= Math.max(memory.over, transcript.grownEnough)) return
  const tools = { signal: scope.signal, count: transcript.count }
  const compacted = await orStopped(scope, memory.compact(transcript.messages, tools))
  if (compacted === undefined) return transcript.letGrow(memory.over / 2)
  if (compacted.usage !== undefined) scope.budget.spend(memory.model?.id ?? memory.name, compacted.usage)
  const open = await orStopped(scope, sandbox.ifOpen())
  const file = open === undefined ? undefined : await orStopped(scope, keepText(open, compacted.leftOut))
  const names = context.inventory && open !== undefined ? await orStopped(scope, inventory(open, sandbox.used)) : ''
  const note = [file === undefined ? '' : `What was left out can be read in the file ${file}.`, names]
  const messages = compacted.messages(note.filter((line) => line !== '').join('\n'))
  transcript.replace(messages)
  // It may still be over: then it is let grow before the next time, so that most requests go on from the one before.
  transcript.letGrow(memory.over / 2)
  const { usage } = compacted
  const told = { memory: memory.name, before, after: transcript.tokens, messages }
  scope.emit({ type: 'compaction', id: newId('compaction'), parent: scope.run, ...told, ...(usage && { usage }) })
}
