/** A line of JSON in, its code run, a line of JSON out. No isolation, no limits, no events. */
export const DRIVER = `
import json, sys
names = {}
for line in sys.stdin:
    message = json.loads(line)
    exec(message["code"], names)
    sys.stdout.write(json.dumps({"ok": True, "id": message["id"]}) + "\\n")
    sys.stdout.flush()
`

/** How a driver is reached. */
export interface Wire {
  write(text: string): void
  /** `listen` is told of what comes back, in pieces of any size. */
  onText(listen: (text: string) => void): void
  /** Ends the driver, and resolves when it has ended. */
  close(): Promise<void>
}

/** The smallest driver there could be, seen from here. */
export class Echo {
  readonly #wire: Wire
  #answer: (line: string) => void = () => {}
  #text = ''
  #id = 0

  constructor(wire: Wire) {
    this.#wire = wire
    wire.onText((text) => {
      this.#text += text
      for (let end = this.#text.indexOf('\n'); end >= 0; end = this.#text.indexOf('\n')) {
        const line = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 1)
        this.#answer(line)
      }
    })
  }

  async run(code: string): Promise<void> {
    const id = ++this.#id
    const line = await new Promise<string>((resolve) => {
      this.#answer = resolve
      this.#wire.write(`${JSON.stringify({ id, code })}\n`)
    })
    const answer = JSON.parse(line) as { ok: boolean; id: number }
    if (!answer.ok || answer.id !== id) throw new Error(`the echo answered ${line}`)
  }

  async close(): Promise<void> {
    await this.#wire.close()
  }
}
