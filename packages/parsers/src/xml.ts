import { type ActionParser, CodeActError, type PromptContext } from '@codeact/spec'
import { BlockReader } from './block-reader.ts'
import { exampleIn, knownLanguage } from './languages.ts'
import { aboutBlocks, aboutFinishing, aboutRunning, languagesFor, list, paragraphs } from './prompt.ts'
import { replyAsUser } from './reply.ts'
import { TagFinder } from './tag-finder.ts'

export interface XmlOptions {
  /** The tag's name, without brackets. Default `execute`. */
  readonly tag?: string
  /** The language of tags that name none. Default `python`. */
  readonly language?: string
  /** Whether each block of a reply is an action, or the first alone; then generation stops there. Default `all`. */
  readonly blocks?: 'all' | 'first'
  /**
   * With `first`: whether the rest of a reply that goes on behind its block is cut off, or heard to its end for the sake of an
   * exact count of tokens. Default `cut`.
   */
  readonly rest?: 'cut' | 'drain'
}

/**
 * Code between tags: `<execute>…</execute>`, or `<execute language="bash">…</execute>`.
 *
 * @throws CodeActError `PARSER_TAG` when `tag` could not be the name of a tag.
 */
export function xml(options: XmlOptions = {}): ActionParser {
  const { tag = 'execute', blocks = 'all', rest = 'cut' } = options
  const language = knownLanguage(options.language ?? 'python') ?? options.language ?? 'python'
  checkTag(tag)
  const stop = blocks === 'first' ? [`</${tag}>`] : []
  return {
    name: 'xml',
    stop,
    rest,
    instructions: (context) => instructions({ tag, language, blocks }, context),
    finishing: (context) =>
      aboutFinishing(context, 'When the task is done, reply with the answer and without any code.'),
    start: () => new BlockReader({ blocks, stop, finder: (pass) => new TagFinder(pass, tag, language) }),
    reply: replyAsUser,
  }
}

function checkTag(tag: string): void {
  if (/^[^\s<>/"'=`]+$/.test(tag)) return
  throw new CodeActError('PARSER_TAG', `xml(): ${JSON.stringify(tag)} cannot be the name of a tag`, {
    hint: "pass the bare name, as in xml({ tag: 'execute' }): no brackets, slashes, quotes or white space",
  })
}

function instructions({ tag, language, blocks }: Omit<Required<XmlOptions>, 'rest'>, context: PromptContext): string {
  const { main, others } = languagesFor(language, context)
  const open = main === language ? `<${tag}>` : `<${tag} language="${main}">`
  const example = `${open}\n${exampleIn(main)}\n</${tag}>`
  const other = `To use another language, name it in the tag, as in <${tag} language="${others[0]}">. There is: ${others.join(', ')}.`
  return paragraphs(
    `You act by writing code. Write ${main} code between ${open} and </${tag}>. It is run, and you are shown what came of it:`,
    example,
    list(
      ...(others.length > 0 ? [other] : []),
      ...aboutRunning('block', context),
      aboutBlocks(blocks),
      'Put tags around code that is to run, and around nothing else. What is outside them is not run.',
    ),
  )
}
