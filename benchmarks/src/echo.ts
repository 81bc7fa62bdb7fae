import { type ChildProcess, spawn } from 'node:child_process'

const DRIVER = `
import json, sys
names = {}
for line in sys.stdin:
    message = json.loads(line)
    exec(message["code"], names)
    sys.stdout.write(json.dumps({"ok": True, "id": message["id"]}) + "\\n")
    sys.stdout.flush()
`

/** The smallest driver there could be: a line of JSON in, its code run, a line of JSON out. No isolation, no limits, no events. */
export class Echo {
  readonly #child: ChildProcess
  #answer: (line: string) => void = () => {}
  #text = ''
  #id = 0

  constructor(python: string) {
    this.#child = spawn(python, ['-I', '-S', '-c', DRIVER], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
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
      this.#child.stdin?.write(`${JSON.stringify({ id, code })}\n`)
    })
    const answer = JSON.parse(line) as { ok: boolean; id: number }
    if (!answer.ok || answer.id !== id) throw new Error(`the echo answered ${line}`)
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('close', resolve))
    this.#child.stdin?.end()
    await gone
  }
}
