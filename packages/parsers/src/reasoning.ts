import { isBlank, NEWLINE } from './chars.ts'

/** How models mark what they think, where their server leaves it in the text. */
const MARKS: readonly (readonly [opening: string, closing: string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['<seed:think>', '</seed:think>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
]

/** Follows text, and says where it is a model's reasoning: from a mark that begins a line to the mark that closes it. */
export class Reasoning {
  /** The mark that closes the reasoning; empty outside. */
  #closing = ''
  #matched = 0
  /** The beginning of the line, while it may become a mark; undefined when it cannot. */
  #line: string | undefined = ''

  get isOpen(): boolean {
    return this.#closing !== ''
  }

  /** Whether what has been read of the line may be the beginning of a mark. */
  get mayOpen(): boolean {
    return this.#line !== undefined
  }

  /** What is missing: the mark that would close it. */
  get closing(): string {
    return this.#closing
  }

  read(text: string): void {
    for (let at = 0; at < text.length; at++) this.step(text.charCodeAt(at))
  }

  step(char: number): void {
    if (this.#closing !== '') this.#readInside(char)
    else if (char === NEWLINE) this.#line = ''
    else if (this.#line !== undefined) this.#readLine(this.#line, char)
  }

  #readInside(char: number): void {
    if (char === this.#closing.charCodeAt(this.#matched)) this.#matched += 1
    else this.#matched = char === this.#closing.charCodeAt(0) ? 1 : 0
    if (this.#matched === this.#closing.length) this.#closing = ''
  }

  #readLine(line: string, char: number): void {
    if (line === '' && isBlank(char)) return
    const begun = line + String.fromCharCode(char)
    const mark = MARKS.find(([opening]) => opening.startsWith(begun))
    this.#line = mark === undefined || mark[0] === begun ? undefined : begun
    if (mark?.[0] !== begun) return
    this.#closing = mark[1]
    this.#matched = 0
  }
}
