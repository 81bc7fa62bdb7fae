import type {
  Action,
  ActionEvent,
  ActionParser,
  ActionReader,
  AssistantMessage,
  Finish,
  ModelEvent,
  PromptContext,
} from '@codeact/spec'

interface CutReply {
  readonly finish: Finish
  readonly actions: readonly Action[]
  readonly message: AssistantMessage
  /** The text that was read, with what it went on with. */
  readonly heard: string
}

/** Finishes after which a reply is not over: what it was writing is cut, and the next reply may go on with it. */
export function isCut(finish: Finish): boolean {
  return finish === 'length' || finish === 'pause'
}

/**
 * The text of a reply that was cut inside a block of code, for the next one to go on with; undefined if there is none. Native
 * tool calls are not gone on with: where the one before was cut, the next call could be the rest of it, or all of it anew.
 */
export function openCode({ finish, actions, message, heard }: CutReply): string | undefined {
  const last = actions.at(-1)
  const isOpen = isCut(finish) && last?.type === 'code' && !last.closed
  return isOpen && message.content.every(({ type }) => type !== 'tool-call') ? heard : undefined
}

/**
 * Reads a reply that follows one which was cut inside a block: the rest of that block, as a rule. The pieces are read as if
 * they had come in one, and the events are those of the block, from its start. A model may also write the block anew; then
 * it opens one before it says anything else.
 *
 * Which of both it is shows at the end alone, so nothing is told before that.
 */
export class ContinuedReader implements ActionReader {
  readonly #parser: ActionParser
  readonly #prompt: PromptContext
  readonly #before: string
  readonly #events: ModelEvent[] = []
  #reader: ActionReader | undefined
  /** What was read in the end: with what was cut before it, where it went on. */
  #text = ''
  #said = 0

  constructor(parser: ActionParser, prompt: PromptContext, before: string) {
    this.#parser = parser
    this.#prompt = prompt
    this.#before = before
  }

  get missing(): string {
    return this.#reader?.missing ?? ''
  }

  /** Known at the end alone, and of this reply alone. */
  get enough(): number | undefined {
    const enough = this.#reader?.enough
    return enough === undefined ? undefined : enough - (this.#text.length - this.#said)
  }

  get text(): string {
    return this.#text
  }

  feed(input: string | ModelEvent): readonly ActionEvent[] {
    this.#events.push(typeof input === 'string' ? { type: 'text-delta', text: input } : input)
    return []
  }

  end(finish?: Finish): readonly ActionEvent[] {
    const said = this.#events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
    const anew = this.#read('', finish)
    this.#text = said
    this.#said = said.length
    if (beginsWithCode(anew, finish)) return anew
    this.#text = this.#before + said
    return fromBlock(this.#cutBlock(), this.#read(this.#before, finish))
  }

  /** Which block of what came before was cut: the first is 1. */
  #cutBlock(): number {
    const reader = this.#parser.start(this.#prompt)
    return [...reader.feed(this.#before), ...reader.end('length')].filter(isStart).length
  }

  #read(before: string, finish: Finish | undefined): readonly ActionEvent[] {
    const reader = this.#parser.start(this.#prompt)
    this.#reader = reader
    return [before, ...this.#events].flatMap((input) => reader.feed(input)).concat(reader.end(finish))
  }
}

/** What was told of the blocks before, and what they did, is not told again. */
function fromBlock(count: number, events: readonly ActionEvent[]): readonly ActionEvent[] {
  let seen = 0
  return events.slice(events.findIndex((event) => isStart(event) && ++seen === count))
}

/** An open block that is never closed counts only where it was cut as well: it may be the end of the one before. */
function beginsWithCode(events: readonly ActionEvent[], finish: Finish | undefined): boolean {
  const first = events.find((event) => event.type !== 'text' || event.text.trim() !== '')
  const end = events.find((event) => event.type === 'code-end')
  return first !== undefined && isStart(first) && (isClosed(end?.action) || finish === 'length')
}

function isClosed(action: Action | undefined): boolean {
  return action?.type === 'code' && action.closed
}

function isStart({ type }: ActionEvent): boolean {
  return type === 'code-start'
}
