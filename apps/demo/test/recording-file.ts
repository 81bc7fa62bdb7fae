import { writeFileSync } from 'node:fs'
import type { EventBody } from '@codeact/spec'

/** Writes a recording as a person would, and gives its path. */
export function writeRecording(path: string, ...lines: Line[]): string {
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}

type Line = Partial<EventBody> & { readonly type: EventBody['type'] }

export function task(text: string): Line {
  return { type: 'run-start', task: text }
}

export function reply(text: string): Line {
  return { type: 'model-end', message: { role: 'assistant', content: [{ type: 'text', text }] }, finish: 'stop' }
}

/** A reply that is one block of code. */
export function code(text: string): Line {
  return reply(`<execute>\n${text}\n</execute>`)
}

export function saw(text: string): Line {
  return { type: 'observation', observation: { text, images: [] } }
}
