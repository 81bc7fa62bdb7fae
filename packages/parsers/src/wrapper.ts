import { GREATER, isSpace, LESS, NEWLINE } from './chars.ts'
import { ClosingTail } from './closing-tail.ts'
import { FenceLine, isFenceChar, languageOfInfo, type Verdict } from './fence.ts'
import { FenceClosing } from './fence-closing.ts'
import { knownLanguage } from './languages.ts'
import { languageOfTag } from './tag-attributes.ts'
import { TagClosing } from './tag-closing.ts'
import type { Tail } from './tail.ts'

/** What wraps the whole of a block's code: it is not code itself, and what closes it is not either. */
export interface Wrapping {
  /** Undefined when it names none. */
  readonly language: string | undefined
  /** Code begins on the line after it. */
  readonly endsLine: boolean
  readonly tail: Tail
}

/** Tags that models put around code. */
const TAGS = ['execute', 'code', 'python', 'javascript', 'typescript', 'bash', 'sh']
/** What has not become a tag by then is none. */
const LONGEST = 128

/**
 * Looks at the very beginning of a block for what wraps the whole of its code: a fence, as some models write inside tags, or
 * a tag, as some write inside fences. Code that begins with either is code in no language.
 */
export class Wrapper {
  readonly #line = new FenceLine()
  readonly #mayBeFence: boolean
  readonly #mayBeTag: boolean
  #verdict: Verdict = 'maybe'
  #first = 0
  #held = ''
  #tag: Wrapping | undefined

  /** What is looked for: a fence where the block is not fenced itself, a tag where it is. */
  constructor(mayBe: { fence: boolean; tag: boolean }) {
    this.#mayBeFence = mayBe.fence
    this.#mayBeTag = mayBe.tag
  }

  get isSettled(): boolean {
    return this.#verdict !== 'maybe'
  }

  /** Once it is known that there is one. */
  get wrapping(): Wrapping | undefined {
    if (this.#verdict !== 'yes') return undefined
    if (this.#tag !== undefined) return this.#tag
    const tail = new ClosingTail(new FenceClosing(this.#line))
    return { language: languageOfInfo(this.#line.info), endsLine: true, tail }
  }

  /** Reads on, and returns what is not part of what wraps the code. */
  push(code: string): string {
    let at = 0
    while (!this.isSettled && at < code.length) {
      this.#verdict = this.#read(code.charCodeAt(at))
      this.#held += code.charAt(at++)
      if (this.#verdict === 'yes' && this.#first === LESS) this.#readTag()
    }
    if (!this.isSettled) return ''
    return (this.#verdict === 'yes' ? '' : this.take()) + code.slice(at)
  }

  /** What is held back; it is held no longer. */
  take(): string {
    const held = this.#held
    this.#held = ''
    return held
  }

  #read(char: number): Verdict {
    if (this.#first === LESS) return this.#readInTag(char)
    if (this.#first !== 0) return this.#line.read(char)
    if (isSpace(char)) return 'maybe'
    this.#first = char
    this.#line.begin(char)
    return (this.#mayBeTag && char === LESS) || (this.#mayBeFence && isFenceChar(char)) ? 'maybe' : 'no'
  }

  #readInTag(char: number): Verdict {
    if (char === GREATER) return 'yes'
    if (char === LESS || char === NEWLINE || this.#held.length > LONGEST) return 'no'
    const [, name = '', space = ''] = /^\s*<(\S*)(\s?)/.exec(this.#held + String.fromCharCode(char)) ?? []
    const isTag = space === '' ? TAGS.some((tag) => tag.startsWith(name)) : TAGS.includes(name)
    return isTag ? 'maybe' : 'no'
  }

  #readTag(): void {
    const [, name = '', rest = ''] = /^\s*<([^\s>]+)([^>]*)>$/.exec(this.#held) ?? []
    const language = languageOfTag(rest, knownLanguage(name) ?? '')
    const tail = new ClosingTail(new TagClosing(name))
    if (language === undefined || !TAGS.includes(name)) this.#verdict = 'no'
    else this.#tag = { language: language === '' ? undefined : language, endsLine: false, tail }
  }
}
