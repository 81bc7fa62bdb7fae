import { type CodeAction, newId } from '@codeact/spec'
import { knownLanguage } from '../languages.ts'
import type { Output } from '../output.ts'
import { type Call, CUT_OFF, unreadable } from './call.ts'
import { JsonObject } from './json-object.ts'

/** The native tool that runs code. */
export const EXECUTE_CODE = 'execute_code'

const HOW = `Call ${EXECUTE_CODE} again, with one JSON object whose "code" is the code as a string.`

/**
 * Code in a tool call: `{ "language": "python", "code": "…" }`, in any order. It streams as soon as its language is certain:
 * at once where the sandbox runs one, else behind `language`, else at the end.
 */
export class CodeCall implements Call {
  readonly #callId: string
  readonly #languages: readonly string[]
  readonly #output: Output
  readonly #object = new JsonObject({
    onString: (key, text, isWhole) => this.#readString(key, text, isWhole),
    onOther: (key, json) => this.#readOther(key, json),
  })
  #json = ''
  #code = ''
  /** What of the code has not been told yet. */
  #untold = ''
  /** There is something to run in the code. */
  #isCode = false
  #language = ''
  #seen = { code: false, language: false }
  #fault: string | undefined
  #id = ''

  /** @param languages those of the sandbox, the default first */
  constructor(callId: string, languages: readonly string[], output: Output) {
    this.#callId = callId
    this.#languages = languages
    this.#output = output
  }

  get isWhole(): boolean {
    return this.#object.isWhole || this.#problem !== undefined
  }

  read(json: string): void {
    this.#json += json
    if (this.#problem === undefined) this.#object.read(json)
  }

  end(isCut: boolean): void {
    this.#object.end()
    const reason = this.#reason(isCut)
    if (this.#isCode) this.#tell()
    const action = reason === undefined ? this.#action(isCut) : unreadable(this.#callId, reason, this.#json)
    if (this.#id !== '') this.#output.event({ type: 'code-end', id: this.#id, action })
    else if (action.type === 'invalid') this.#output.event({ type: 'action', action })
  }

  get #problem(): string | undefined {
    return this.#fault ?? this.#object.fault
  }

  #action(isCut: boolean): CodeAction {
    const closed = isCut ? this.#object.isWhole : this.#seen.code
    const language = this.#language || this.#main
    return { type: 'code', language, code: this.#code, closed, callId: this.#callId }
  }

  /** Why there is nothing that could be run. */
  #reason(isCut: boolean): string | undefined {
    if (this.#problem !== undefined) return `The call could not be read: ${this.#problem}. ${HOW}`
    const isOver = this.#object.isWhole || !isCut
    if (!this.#isCode) return isOver ? `There was no code in the call. ${HOW}` : CUT_OFF
    const isBroken = !isCut && this.#seen.code && !this.#object.isEnough
    return isBroken ? `The call could not be read: it breaks off behind the code. ${HOW}` : undefined
  }

  get #main(): string {
    return this.#languages[0] ?? 'python'
  }

  #readString(key: string, text: string, isWhole: boolean): void {
    if (key === 'code') this.#readCode(text, isWhole)
    if (key === 'language') this.#readLanguage(text, isWhole)
  }

  #readCode(text: string, isWhole: boolean): void {
    if (this.#isTwice('code')) return
    this.#code += text
    this.#untold += text
    this.#seen.code = isWhole
    this.#isCode ||= /\S/.test(text)
    const isCertain = this.#seen.language || this.#languages.length < 2
    if (this.#isCode && isCertain) this.#tell()
  }

  #readLanguage(text: string, isWhole: boolean): void {
    if (this.#isTwice('language')) return
    this.#language += text
    this.#seen.language = isWhole
    if (!isWhole) return
    this.#language = knownLanguage(this.#language.trim()) ?? this.#language.trim()
    if (this.#isCode) this.#tell()
  }

  #readOther(key: string, json: string): void {
    const isWrong = key === 'code' || (key === 'language' && json !== 'null')
    if (isWrong) this.#fault ??= `"${key}" must be a string`
  }

  #isTwice(key: 'code' | 'language'): boolean {
    if (this.#seen[key]) this.#fault ??= `"${key}" is there twice`
    return this.#seen[key]
  }

  #tell(): void {
    if (this.#id === '') {
      this.#id = newId('code')
      this.#output.event({ type: 'code-start', id: this.#id, language: this.#language || this.#main })
    }
    if (this.#untold !== '') this.#output.code(this.#id, this.#untold)
    this.#untold = ''
  }
}
