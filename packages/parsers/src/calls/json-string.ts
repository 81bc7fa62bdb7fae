const SPECIAL = /["\\]/g

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/**
 * The inside of a JSON string, read as it comes, up to the quote that closes it. Line ends and tabs that should have been
 * escaped are taken as they are: there is only one thing that they can mean.
 */
export class JsonString {
  isClosed = false
  /** What is wrong with it, as the end of a sentence; nothing behind that is read. */
  fault: string | undefined
  #text = ''
  /** What has come of an escape, from its backslash. */
  #escape = ''

  /** Reads on from `at`, and returns how far. */
  read(json: string, at: number): number {
    let next = at
    while (next < json.length && !this.isClosed && this.fault === undefined) {
      next = this.#escape === '' ? this.#readPlain(json, next) : this.#readEscape(json.charAt(next), next)
    }
    return next
  }

  /** What it says, since the last call. Half a character (of a surrogate pair) is kept until it is whole, or all is over. */
  take(isOver = this.isClosed): string {
    const last = this.#text.charCodeAt(this.#text.length - 1)
    const isHalf = last >= 0xd800 && last <= 0xdbff && !isOver
    const end = isHalf ? this.#text.length - 1 : this.#text.length
    const taken = this.#text.slice(0, end)
    this.#text = this.#text.slice(end)
    return taken
  }

  #readPlain(json: string, at: number): number {
    SPECIAL.lastIndex = at
    const end = SPECIAL.exec(json)?.index ?? json.length
    this.#text += json.slice(at, end)
    if (end === json.length) return end
    if (json[end] === '"') this.isClosed = true
    else return this.#beginEscape(json, end)
    return end + 1
  }

  /** Most escapes come whole, and are one letter long. */
  #beginEscape(json: string, at: number): number {
    const meant = ESCAPES.get(json.charAt(at + 1))
    if (meant === undefined) this.#escape = '\\'
    else this.#text += meant
    return meant === undefined ? at + 1 : at + 2
  }

  #readEscape(char: string, at: number): number {
    this.#escape += char
    if (this.#escape.startsWith('\\u')) this.#readHex(char)
    else this.#endEscape(ESCAPES.get(char))
    return at + 1
  }

  #readHex(char: string): void {
    if (this.#escape.length > 2 && !/[0-9a-f]/i.test(char)) this.#endEscape(undefined)
    else if (this.#escape.length === 6) this.#endEscape(String.fromCharCode(Number.parseInt(this.#escape.slice(2), 16)))
  }

  #endEscape(meant: string | undefined): void {
    if (meant === undefined) this.fault = `JSON has no escape ${this.#escape}: a backslash is written \\\\`
    this.#text += meant ?? ''
    this.#escape = ''
  }
}
