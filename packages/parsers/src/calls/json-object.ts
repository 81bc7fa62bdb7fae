import { JsonString } from './json-string.ts'

/** Who is told of the members of an object. */
export interface Members {
  /** More of a member that is a string; at its end with `isWhole`. */
  onString(key: string, text: string, isWhole: boolean): void
  /** A member that is anything else, as it was written. */
  onOther(key: string, json: string): void
}

type State = 'start' | 'member' | 'key' | 'colon' | 'value' | 'string' | 'other' | 'comma' | 'done'

const EXPECTED: Readonly<Record<string, string>> = {
  start: '"{"',
  member: 'a name in quotes',
  colon: '":"',
  comma: '"," or "}"',
  done: 'nothing more',
}

/** Reads a JSON object as it comes, in any pieces, and tells its strings while they are read. */
export class JsonObject {
  /** What is wrong with it, as the end of a sentence; nothing behind that is read. */
  fault: string | undefined
  readonly #members: Members
  #state: State = 'start'
  #string = new JsonString()
  #key = ''
  #other = ''
  /** How many brackets are open in a member that is no string. */
  #depth = 0
  #isQuoted = false
  #isEscaped = false
  #position = 0

  constructor(members: Members) {
    this.#members = members
  }

  /** Nothing is missing, or nothing but the bracket that closes it. */
  get isEnough(): boolean {
    return this.#state === 'done' || this.#state === 'comma'
  }

  get isWhole(): boolean {
    return this.#state === 'done'
  }

  read(json: string): void {
    for (let at = 0; at < json.length && this.fault === undefined; ) {
      const next = this.#readOn(json, at)
      this.#position += next - at
      at = next
    }
    if (this.#state === 'string') this.#tell(false)
  }

  /** No more comes: half a character at the end of a string is told as it is. */
  end(): void {
    if (this.#state === 'string') this.#members.onString(this.#key, this.#string.take(true), false)
  }

  #readOn(json: string, at: number): number {
    if (this.#state === 'key' || this.#state === 'string') return this.#readString(json, at)
    const char = json.charAt(at)
    if (this.#state === 'other') return this.#readOther(char, at)
    if (/\s/.test(char)) return at + 1
    if (this.#state === 'value' && char !== '"') {
      this.#state = 'other'
      return at
    }
    this.#state = this.#after(char) ?? this.#fail(char)
    if (this.#state === 'key' || this.#state === 'string') this.#string = new JsonString()
    return at + 1
  }

  /** What comes behind a mark. A comma in front of the last bracket does no harm. */
  #after(mark: string): State | undefined {
    switch (`${this.#state} ${mark}`) {
      case 'start {':
      case 'comma ,':
        return 'member'
      case 'member "':
        return 'key'
      case 'member }':
      case 'comma }':
        return 'done'
      case 'colon :':
        return 'value'
      case 'value "':
        return 'string'
    }
    return undefined
  }

  #fail(char: string): State {
    this.fault = `${JSON.stringify(char)} stands at character ${this.#position + 1}, where ${EXPECTED[this.#state]} belongs`
    return this.#state
  }

  #readString(json: string, at: number): number {
    const next = this.#string.read(json, at)
    this.fault = this.#string.fault
    if (!this.#string.isClosed) return next
    if (this.#state === 'key') {
      this.#key = this.#string.take()
      this.#state = 'colon'
    } else {
      this.#tell(true)
      this.#state = 'comma'
    }
    return next
  }

  #tell(isWhole: boolean): void {
    const text = this.#string.take()
    if (text !== '' || isWhole) this.#members.onString(this.#key, text, isWhole)
  }

  #readOther(char: string, at: number): number {
    const isEnd = this.#depth === 0 && !this.#isQuoted && /[,}\]]/.test(char)
    if (isEnd) {
      this.#members.onOther(this.#key, this.#other.trim())
      this.#other = ''
      this.#state = 'comma'
      return at
    }
    this.#other += char
    if (this.#isQuoted) this.#readQuoted(char)
    else if (char === '"') this.#isQuoted = true
    else if (char === '{' || char === '[') this.#depth += 1
    else if (char === '}' || char === ']') this.#depth -= 1
    return at + 1
  }

  #readQuoted(char: string): void {
    if (char === '"' && !this.#isEscaped) this.#isQuoted = false
    this.#isEscaped = char === '\\' && !this.#isEscaped
  }
}
