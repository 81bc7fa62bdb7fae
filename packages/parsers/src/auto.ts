import type { ActionParser, ParserPicker } from '@codeact/spec'
import { codeOnly } from './code-only.ts'
import { fenced } from './fenced.ts'
import { toolCall } from './tool-call.ts'
import { xml } from './xml.ts'

const PARSERS = { 'tool-call': toolCall, fenced, xml, 'code-only': codeOnly } satisfies Record<
  string,
  () => ActionParser
>

/** Parsers by model. The first pattern wins that fits the whole id; `*` stands for any text, and case makes no difference. */
export type ParsersByModel = Readonly<Record<string, keyof typeof PARSERS | ActionParser>>

export interface AutoOptions {
  /** The id to go by, where the model's own does not tell what it is: that of a deployment. Default: the model's own. */
  readonly model?: string
  /** Looked at before the built-in table, as in `{ 'openai:my-*': 'xml', '*claude*': toolCall({ direct: 'all' }) }`. */
  readonly models?: ParsersByModel
}

/**
 * Native calls for the vendors' own models, which are trained for them and keep their reasoning from call to call (a user
 * message ends it); tags for models that were trained with them. For all others Markdown, which every model writes: whether
 * native calls work there is up to the server, too.
 */
const TABLE: ParsersByModel = {
  '*codeact*': 'xml',
  '*gpt-oss*': 'fenced',
  // These may take no tools.
  '*-chat-latest': 'fenced',
  '*-search-*': 'fenced',
  'openai:gpt-*': 'tool-call',
  'openai:o1*': 'tool-call',
  'openai:o3*': 'tool-call',
  'openai:o4*': 'tool-call',
  'anthropic:claude-*': 'tool-call',
  'ai-sdk:openai*/gpt-*': 'tool-call',
  'ai-sdk:openai*/o3*': 'tool-call',
  'ai-sdk:openai*/o4*': 'tool-call',
  'ai-sdk:*claude-*': 'tool-call',
  '*': 'fenced',
}

/** Picks the parser that suits the model. Without a model, `fenced()`. */
export function auto(options: AutoOptions = {}): ParserPicker {
  const table = [...Object.entries(options.models ?? {}), ...Object.entries(TABLE)]
  return (context) => {
    const model = options.model ?? context.model ?? ''
    const parser = table.find(([pattern]) => fits(pattern, model))?.[1] ?? 'fenced'
    return typeof parser === 'string' ? PARSERS[parser]() : parser
  }
}

function fits(pattern: string, model: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`, 'is').test(model)
}
