import type { ActionParser, PromptContext } from '@codeact/spec'
import { BlockReader } from './block-reader.ts'
import { FenceFinder } from './fence-finder.ts'
import { exampleIn, knownLanguage } from './languages.ts'
import { aboutBlocks, aboutFinishing, aboutRunning, languagesFor, list, paragraphs } from './prompt.ts'
import { replyAsUser } from './reply.ts'

export interface FencedOptions {
  /** Whether each block of a reply is an action, or the first alone. Default `all`. */
  readonly blocks?: 'all' | 'first'
  /**
   * With `first`: whether the rest of a reply that goes on behind its block is cut off, or heard to its end for the sake of an
   * exact count of tokens. Default `cut`.
   */
  readonly rest?: 'cut' | 'drain'
  /** The language of fences that name none. Default: such fences hold prose, and are not run. */
  readonly untagged?: string
}

/**
 * Code in Markdown: fenced blocks that name a language which code is run in. Other fences hold prose.
 *
 * There is no stop sequence: what begins the line that closes a block also begins the line that opens one, and the fences
 * in an answer. With `blocks: 'first'` the reader takes the first block, and what is behind it is left out.
 */
export function fenced(options: FencedOptions = {}): ActionParser {
  const { blocks = 'all', rest = 'cut' } = options
  const untagged = options.untagged === undefined ? undefined : (knownLanguage(options.untagged) ?? options.untagged)
  const stop: readonly string[] = []
  return {
    name: 'fenced',
    stop,
    rest,
    instructions: (context) => instructions(blocks, context),
    finishing: (context) =>
      aboutFinishing(context, 'When the task is done, reply with the answer and without any code to run.'),
    start: () => new BlockReader({ blocks, stop, finder: (pass) => new FenceFinder(pass, untagged) }),
    reply: replyAsUser,
  }
}

function instructions(blocks: 'all' | 'first', context: PromptContext): string {
  const { main, others } = languagesFor('python', context)
  const other = `To use another language, tag the block with it. There is: ${others.join(', ')}.`
  return paragraphs(
    `You act by writing code. Write it in a Markdown code block that is tagged ${main}. It is run, and you are shown what came of it:`,
    `\`\`\`${main}\n${exampleIn(main)}\n\`\`\``,
    list(
      ...(others.length > 0 ? [other] : []),
      ...aboutRunning('block', context),
      aboutBlocks(blocks),
      'Show code that is not to run, and output, in blocks that are tagged text.',
    ),
  )
}
