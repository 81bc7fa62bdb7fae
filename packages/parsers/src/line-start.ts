import { CLOSE_PAREN, DASH, DOT, isBlank, isDigit, NEWLINE, PLUS, RETURN, STAR, TAB } from './chars.ts'

const INDENT = 0
/** In the number of a list item. */
const DIGITS = 1
/** Behind the mark of a list item, where white space must follow. */
const MARK = 2

/**
 * Reads the start of a line: its indentation, and the marks of list items, since a block in an item is indented as deep as
 * the item's text. `content`: the character just read is the first of the content. `other`: no fence can begin here.
 */
export class LineStart {
  /** The column that the line has come to; a tab leads to the next multiple of four. */
  column = 0
  /** The columns at which the text of the open list items begins, outermost first. */
  readonly #items: number[] = []
  #state = INDENT
  #digits = 0
  /** The column behind the last mark of this line; -1 before the first. */
  #mark = -1

  /** How deep the line's content is indented, from where the text around it begins. */
  get indent(): number {
    return this.column - (this.#items.at(-1) ?? 0)
  }

  begin(): void {
    this.column = 0
    this.#state = INDENT
    this.#mark = -1
  }

  read(char: number): 'more' | 'content' | 'other' {
    if (this.#state !== INDENT) return this.#readMark(char)
    if (isBlank(char)) return this.#advance(char)
    if (char === NEWLINE || char === RETURN) return this.#blankLine()
    if (this.#mark < 0) this.#leaveItems()
    else this.#enterItem()
    if (this.indent > 3) return 'other'
    return this.#beginMark(char) ? this.#advance(char) : 'content'
  }

  #readMark(char: number): 'more' | 'content' | 'other' {
    if (this.#state === DIGITS) return this.#readDigits(char)
    if (!isBlank(char) && char !== NEWLINE && char !== RETURN) return 'other'
    this.#state = INDENT
    this.#mark = this.column
    return this.read(char)
  }

  #readDigits(char: number): 'more' | 'other' {
    this.#digits += 1
    if (char === DOT || char === CLOSE_PAREN) this.#state = MARK
    else if (!isDigit(char) || this.#digits > 9) return 'other'
    return this.#advance(char)
  }

  #beginMark(char: number): boolean {
    const isBullet = char === DASH || char === STAR || char === PLUS
    this.#digits = 1
    if (isBullet) this.#state = MARK
    else if (isDigit(char)) this.#state = DIGITS
    return this.#state !== INDENT
  }

  #advance(char: number): 'more' {
    this.column = char === TAB ? this.column - (this.column % 4) + 4 : this.column + 1
    return 'more'
  }

  /** An item without text on its first line has it one column behind the mark. */
  #blankLine(): 'other' {
    if (this.#mark >= 0) this.#items.push(this.#mark + 1)
    return 'other'
  }

  #leaveItems(): void {
    while ((this.#items.at(-1) ?? 0) > this.column) this.#items.pop()
  }

  #enterItem(): void {
    const isText = this.column - this.#mark <= 4
    this.#items.push(isText ? this.column : this.#mark + 1)
  }
}
