import type { CellRecord, CodeActEvent } from '@codeact/spec'
import { Transcript, taskMessage } from '../loop/transcript.ts'
import { OpenStep } from './open-step.ts'
import type { SavedSession } from './saved-session.ts'

type EventOf<Type extends CodeActEvent['type']> = Extract<CodeActEvent, { type: Type }>

/**
 * What the events of a session's runs come to, one after the other: the transcript, and the code that has made the variables.
 * A step counts once it has ended. What belongs to runs inside a run is passed over.
 */
export class History {
  readonly #transcript = new Transcript(() => 0)
  #cells: CellRecord[] = []
  #files: readonly string[] = []
  #task: string | undefined
  #stop: SavedSession['stop']
  #isCut = false
  #run: string | undefined
  #step: OpenStep | undefined

  constructor(past?: SavedSession) {
    if (past === undefined) return
    this.#transcript.replace(past.messages)
    this.#cells = [...past.cells]
    this.#files = past.files
    this.#task = past.task
    this.#stop = past.stop
    this.#isCut = past.isCut ?? false
  }

  see(event: CodeActEvent): void {
    const { type, id, parent } = event
    if (type === 'run-start' && id === event.run) this.#begin(event)
    else if (type === 'run-end' && id === this.#run) this.#end(event)
    else if (parent !== undefined && parent === this.#run) this.#seeInRun(event)
    else this.#step?.see(event)
  }

  save(): SavedSession {
    const { messages } = this.#transcript
    const task = this.#task === undefined ? {} : { task: this.#task }
    const ended = { ...(this.#stop !== undefined && { stop: this.#stop }), ...(this.#isCut && { isCut: true }) }
    const begun = this.#step?.begun ?? []
    return { v: 1, messages: [...messages], cells: [...this.#cells], files: this.#files, ...task, ...ended, begun }
  }

  #begin({ id, task, messages = [], cells = [], files = [] }: EventOf<'run-start'>): void {
    this.#run = id
    this.#task = task
    this.#stop = this.#step = undefined
    if (messages[0]?.role === 'system') {
      this.#transcript.replace([])
      this.#cells = [...cells]
      this.#files = []
    }
    for (const message of messages) this.#transcript.push(message)
    this.#files = [...new Set([...this.#files, ...files])]
    this.#isCut = false
  }

  #end({ stop }: EventOf<'run-end'>): void {
    this.#stop = stop
    this.#run = undefined
  }

  #seeInRun(event: CodeActEvent): void {
    if (event.type === 'step-start') this.#step = new OpenStep(event.id)
    else if (event.type === 'step-end') this.#take()
    else if (event.type === 'compaction') this.#transcript.replace(event.messages)
    else if (event.type === 'user-message') this.#transcript.push(taskMessage(event.text))
  }

  #take(): void {
    for (const message of this.#step?.said ?? []) this.#transcript.push(message)
    this.#cells.push(...(this.#step?.cells ?? []))
    this.#isCut = this.#step?.isCut ?? false
    this.#step = undefined
  }
}
