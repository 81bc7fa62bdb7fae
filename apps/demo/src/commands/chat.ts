import { createInterface } from 'node:readline'
import { createAgent, resolveExecutor } from '@codeact/config'
import type { Session } from '@codeact/core'
import { CodeActError } from '@codeact/spec'
import { chooseModel, noModel } from '../choose-model.ts'
import type { Flags } from '../command-line.ts'
import { limitsOf } from '../config-flags.ts'
import { closing } from '../render/closing.ts'
import { reportError } from '../report-error.ts'
import { openScreen, type Screen } from '../screen.ts'
import type { Stop } from '../stop.ts'

/** `codeact chat`: each line of stdin is a task of one session. Exits with 0 if each got an answer. */
export async function chat(flags: Flags, stop: Stop): Promise<number> {
  const chosen = await chooseModel(flags)
  if (chosen === undefined) throw noModel('and a chat needs one')
  const { config, notice } = chosen
  await using executor = await resolveExecutor(config)
  const agent = await createAgent(config, { executor, limits: limitsOf(config, flags) })
  const isTyped = process.stdin.isTTY === true && process.stdout.isTTY === true && !flags.json
  const screen = openScreen({ ...flags, showsTask: !isTyped })
  if (notice !== undefined) screen.say(notice)
  if (isTyped) screen.say(screen.style.dim('A task a line; /exit or Ctrl-D ends.\n'))
  await using session = await agent.session({ log: flags.log })
  let code = 0
  for await (const task of tasksFrom(isTyped, screen, stop)) {
    if (isTyped) screen.say()
    if (!(await work(session, task, screen, stop))) code = 1
  }
  return code
}

/** The lines that hold a task, up to `/exit` or the end. Where they are typed, each one is asked for. */
async function* tasksFrom(
  isTyped: boolean,
  { style, say }: Screen,
  stop: Stop,
): AsyncGenerator<string, void, undefined> {
  const lines = createInterface({
    input: process.stdin,
    ...(isTyped ? { output: process.stdout } : {}),
    signal: stop.signal,
  })
  lines.setPrompt(style.bold('› '))
  // A terminal that is read line by line hands Ctrl-C over as a key.
  lines.on('SIGINT', () => stop.receive('SIGINT'))
  try {
    if (isTyped) lines.prompt()
    for await (const line of lines) {
      const task = line.trim()
      if (task === '/exit' || stop.signal.aborted) return
      if (task !== '') yield task
      if (stop.signal.aborted) return
      if (isTyped) lines.prompt()
    }
    if (isTyped) say()
  } finally {
    lines.close()
  }
}

/** One task; a failure is told, and the next one may go better. */
async function work(session: Session, task: string, screen: Screen, stop: Stop): Promise<boolean> {
  try {
    const run = session.run(task, { signal: stop.signal })
    for await (const event of run) screen.show(event)
    const result = await run
    screen.say(`${closing(result, screen.style)}\n`)
    return result.stop === 'answer'
  } catch (error) {
    if (!CodeActError.is(error)) throw error
    screen.say()
    reportError(error)
    screen.say()
    return false
  }
}
