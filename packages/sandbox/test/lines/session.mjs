import { COMMANDS } from './commands.mjs'
import { Trouble } from './trouble.mjs'

/**
 * What a cell may do to the world.
 * @typedef {object} World
 * @property {(stream: 'stdout' | 'stderr', bytes: Buffer) => Promise<void>} write
 * @property {(bundle: Record<string, string>) => Promise<void>} show
 * @property {(name: string, args: unknown[], kwargs: Record<string, unknown>) => Promise<unknown>} call
 * @property {AbortSignal} signal aborts when the cell is interrupted
 */

/** The language: a line is a command and its words, and a line that ends in \ goes on in the next. */
export class Session {
  /** @type {Map<string, unknown>} */
  variables = new Map()
  /** @type {Map<string, string>} lines by the names that `define` gave them */
  definitions = new Map()

  /**
   * Runs a cell and gives the body of its `done`.
   * @param {string} code
   * @param {World} world
   */
  async run(code, world) {
    let line = ''
    try {
      const lines = code.replaceAll('\\\n', ' ').split('\n')
      line = lines.find((one) => !/^[a-z]/.test(one)) ?? ''
      if (line !== '') throw new Trouble('Unreadable', 'a line begins with the name of a command')
      let value
      for (line of lines) value = await this.evaluate(line, world)
      return { ok: true, value: value === undefined ? undefined : { 'text/plain': JSON.stringify(value) } }
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      return { ok: false, error: { name, message, traceback: `  in: ${line}\n${name}: ${message}` } }
    }
  }

  /**
   * The value of a line, or of a word alone: a number, "a text", a variable.
   * @param {string} line
   * @param {World} world
   * @returns {Promise<unknown>}
   */
  async evaluate(line, world) {
    const [, name = '', rest = ''] = /^(\S+) ?(.*)$/.exec(line.trim()) ?? []
    const defined = this.definitions.get(name)
    if (defined !== undefined) return this.evaluate(defined, world)
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    return command === undefined ? this.word(line.trim()) : command(rest, this, world)
  }

  /** @param {string} word */
  word(word) {
    if (/^(-?\d|")/.test(word)) return JSON.parse(word)
    if (!this.variables.has(word)) throw new Trouble('Unknown', `there is nothing named ${word}`)
    return this.variables.get(word)
  }
}
