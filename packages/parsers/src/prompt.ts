import type { PromptContext } from '@codeact/spec'

/** The paragraphs of a prompt; those that do not apply are left out. */
export function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}

export function list(...points: readonly string[]): string {
  return points.map((point) => `- ${point}`).join('\n')
}

/** What holds of running code, however it is written. `unit`: what one piece of code is called. */
export function aboutRunning(unit: string, { languages }: PromptContext): string[] {
  const each = languages.length > 1 ? ' Each language has its own.' : ''
  return [
    `Variables, functions and imports stay from one ${unit} to the next: build on them.${each}`,
    'What the code prints comes back to you, and so does the value of its last expression. Print what you need to see.',
    'If the code fails, you are shown the error. Mend the code and go on; what ran before it is still there.',
  ]
}

/** How many blocks a reply may have. */
export function aboutBlocks(blocks: 'all' | 'first'): string {
  return blocks === 'all'
    ? 'A reply may hold several blocks. They run in order, up to the first that fails, and you see their results after the reply: never write results yourself.'
    : 'Write one block in a reply and stop behind it: its results come next. Never write results yourself.'
}

/** How to finish: `otherwise`, unless there is a tool for it. */
export function aboutFinishing({ tools }: PromptContext, otherwise: string): string {
  const hasTool = tools.some((tool) => tool.name === 'final_answer')
  return hasTool ? 'When the task is done, call `final_answer` from your code with the answer.' : otherwise
}

/** The language that examples are in, and the others: what the sandbox runs decides, where that is known. */
export function languagesFor(wanted: string, { languages }: PromptContext): { main: string; others: string[] } {
  const main = languages.includes(wanted) ? wanted : (languages[0] ?? wanted)
  return { main, others: languages.filter((language) => language !== main) }
}
