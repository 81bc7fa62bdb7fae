import { Socket } from 'node:net'

const HEADER = /^(\S+) (\d+) \d+ (\S+) (\d+)$/

/** The protocol as its description has it, and nothing of the host's own code: frames on 3, names of cells to stop on 4. */
export class Wire {
  #socket = new Socket({ fd: 3 })
  #bytes = Buffer.alloc(0)
  #sent = 0
  #received = 0

  /**
   * @param {(type: string, id: string, body: any) => void} onFrame
   * @param {(cell: string) => void} onInterrupt
   */
  constructor(onFrame, onInterrupt) {
    this.#socket.on('data', (bytes) => {
      this.#bytes = Buffer.concat([this.#bytes, bytes])
      for (let frame = this.#next(); frame !== undefined; frame = this.#next())
        onFrame(frame.type, frame.id, frame.body)
    })
    // The host is gone, and with it every reason to go on.
    this.#socket.on('close', () => process.exit(0))
    const interrupts = new Socket({ fd: 4 })
    interrupts.on('data', (names) => onInterrupt(String(names).trim().split('\n').at(-1) ?? ''))
    interrupts.on('error', () => {})
  }

  /**
   * Resolves once the frame is on its way, whatever becomes of this process.
   * @param {string} type
   * @param {string} id
   * @param {unknown} body bytes, or what becomes JSON
   */
  send(type, id, body) {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
    const header = `${type} ${++this.#sent} ${this.#received} ${id} ${bytes.length}\n`
    return new Promise((resolve) => this.#socket.write(Buffer.concat([Buffer.from(header), bytes]), resolve))
  }

  #next() {
    const newline = this.#bytes.indexOf('\n')
    if (newline < 0) return undefined
    const [, type = '', seq, id = '', length] = HEADER.exec(this.#bytes.toString('latin1', 0, newline)) ?? []
    const end = newline + 1 + Number(length)
    if (this.#bytes.length < end) return undefined
    const body = JSON.parse(this.#bytes.toString('utf8', newline + 1, end) || '{}')
    this.#bytes = this.#bytes.subarray(end)
    this.#received = Number(seq)
    return { type, id, body }
  }
}
