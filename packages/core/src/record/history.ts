import type { CellRecord, CodeActEvent, Message, SavedSession } from '@codeact/spec'
import { Transcript, taskMessage } from '../loop/transcript.ts'
import { OpenStep } from './open-step.ts'

type EventOf<Type extends CodeActEvent['type']> = Extract<CodeActEvent, { type: Type }>

/** A place in a history, to go back to: its lists, which only grow, and how long they were. */
export interface Mark {
  readonly messages: readonly Message[]
  readonly said: number
  readonly cells: readonly CellRecord[]
  readonly ran: number
  readonly files: readonly string[]
  readonly task: Pick<SavedSession, 'task' | 'stop' | 'isCut' | 'begun'>
}

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
  #begun: readonly string[] = []
  #run: string | undefined
  #step: OpenStep | undefined

  constructor(past?: SavedSession) {
    if (past !== undefined) this.#load(past)
  }

  see(event: CodeActEvent): void {
    const { type, id, parent } = event
    if (type === 'run-start' && id === event.run) this.#begin(event)
    else if (type === 'run-end' && id === this.#run) this.#end(event)
    else if (type === 'undo' && id === event.run) this.#load(event.session)
    else if (parent !== undefined && parent === this.#run) this.#seeInRun(event)
    else this.#step?.see(event)
  }

  save(): SavedSession {
    return this.at(this.mark())
  }

  mark(): Mark {
    const { messages } = this.#transcript
    const task = this.#task === undefined ? {} : { task: this.#task }
    const ended = { ...(this.#stop !== undefined && { stop: this.#stop }), ...(this.#isCut && { isCut: true }) }
    const begun = this.#step?.begun ?? this.#begun
    const lists = { messages, said: messages.length, cells: this.#cells, ran: this.#cells.length, files: this.#files }
    return { ...lists, task: { ...task, ...ended, begun } }
  }

  /** Whether nothing was said since. */
  isAt({ messages, said }: Mark): boolean {
    return messages === this.#transcript.messages && said === messages.length
  }

  /** As it was then; files that were given stay. */
  at({ messages, said, cells, ran, files, task }: Mark): SavedSession {
    const given = [...new Set([...files, ...this.#files])]
    return { v: 1, messages: messages.slice(0, said), cells: cells.slice(0, ran), files: given, ...task }
  }

  #load({ messages, cells, files, task, stop, isCut = false, begun }: SavedSession): void {
    this.#transcript.goBack(messages, true)
    this.#cells = [...cells]
    this.#files = files
    this.#task = task
    this.#stop = stop
    this.#isCut = isCut
    this.#begun = begun
    this.#run = this.#step = undefined
  }

  #begin({ id, task, messages = [], cells = [], files = [] }: EventOf<'run-start'>): void {
    this.#run = id
    this.#task = task
    this.#stop = this.#step = undefined
    this.#begun = []
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
