import type { ActionParser, PromptContext } from '@codeact/spec'
import { AfterReasoning } from './after-reasoning.ts'
import { CodeOnlyReader } from './code-only-reader.ts'
import { knownLanguage } from './languages.ts'
import { aboutFinishing, aboutRunning, list, paragraphs } from './prompt.ts'
import { replyAsUser } from './reply.ts'

export interface CodeOnlyOptions {
  /** The language that the model writes. Default `python`. */
  readonly language?: string
}

/** The whole reply is the code. If it is fenced after all, the code inside the fences is taken. */
export function codeOnly(options: CodeOnlyOptions = {}): ActionParser {
  const language = knownLanguage(options.language ?? 'python') ?? options.language ?? 'python'
  return {
    name: 'code-only',
    stop: [],
    isOneShot: true,
    instructions: (context) => instructions(language, context),
    finishing: (context) => aboutFinishing(context, 'When you know the answer, let the program print it.'),
    start: () => new AfterReasoning(new CodeOnlyReader(language)),
    reply: replyAsUser,
  }
}

function instructions(language: string, context: PromptContext): string {
  return paragraphs(
    `You act by writing code. Your whole reply is run as one ${language} program, and you are shown what came of it.`,
    list(
      'Write nothing but code: no explanation in front of it or behind it, no Markdown. Explain in comments.',
      ...aboutRunning('reply', { ...context, languages: [language] }),
    ),
  )
}
