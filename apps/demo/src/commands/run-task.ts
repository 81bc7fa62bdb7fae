import { createAgent, loadConfig, resolveExecutor } from '@codeact/config'
import type { Agent } from '@codeact/core'
import { approveOnTerminal } from '../approve-on-terminal.ts'
import { chooseModel, noModel } from '../choose-model.ts'
import type { Flags } from '../command-line.ts'
import { configFlags, limitsOf } from '../config-flags.ts'
import { Executors } from '../play/executors.ts'
import { findRecorded } from '../play/recorded.ts'
import { closing } from '../render/closing.ts'
import { openScreen } from '../screen.ts'
import type { Stop } from '../stop.ts'
import type { Demonstration } from '../tasks/demonstration.ts'
import { playOne } from './play-tasks.ts'

/** `codeact "task"`: one task, in a sandbox of its own. Exits with 0 if there is an answer. */
export async function runTask(task: string, flags: Flags, stop: Stop): Promise<number> {
  const chosen = await chooseModel(flags)
  const demonstration = chosen === undefined ? findRecorded(task) : undefined
  if (demonstration !== undefined && flags.log === undefined) return playRecorded(demonstration, flags, stop)
  if (chosen === undefined) {
    throw noModel(flags.log === undefined ? 'and the task is none of the recorded ones' : 'and a log needs one')
  }
  return work(chosen, flags, stop, (agent, signal) => agent.run(task, { signal, log: flags.log }))
}

/** `codeact resume FILE`: the task of a log, from where it was left. The log goes on in its file. */
export async function resumeTask(file: string, flags: Flags, stop: Stop): Promise<number> {
  const chosen = await chooseModel(flags)
  if (chosen === undefined) throw noModel('and to go on takes one')
  const how = { state: flags.rebuild ? 'rebuild' : 'fresh', log: flags.log ?? file } as const
  return work(chosen, flags, stop, (agent, signal) => agent.resume(file, { ...how, signal }))
}

type Chosen = NonNullable<Awaited<ReturnType<typeof chooseModel>>>
type Start = (agent: Agent, signal: AbortSignal) => ReturnType<Agent['run']>

async function work({ config, notice }: Chosen, flags: Flags, stop: Stop, start: Start): Promise<number> {
  await using executor = await resolveExecutor(config)
  const screen = openScreen(flags)
  const terminal = { input: process.stdin, output: process.stderr }
  const approve = flags.approve ? { approve: approveOnTerminal(screen, terminal) } : {}
  const agent = await createAgent(config, { executor, limits: limitsOf(config, flags), ...approve })
  if (notice !== undefined) screen.say(notice)
  const run = start(agent, stop.signal)
  for await (const event of run) screen.show(event)
  const result = await run
  screen.say(closing(result, screen.style))
  return result.stop === 'answer' ? 0 : 1
}

/** A task that was recorded late in a session goes on from those before it, so they are played as well. */
async function playRecorded(demonstration: Demonstration, flags: Flags, stop: Stop): Promise<number> {
  const config = await loadConfig({ file: flags.config, flags: configFlags(flags) })
  await using executors = await Executors.open(config, stop.signal)
  const screen = openScreen(flags)
  const before = demonstration.questions.length - 1
  const first = before === 0 ? '' : ' It goes on from others, which are played first.'
  screen.say(`No model was named; this task was recorded (${demonstration.name}), and its code runs.${first}\n`)
  let code = 0
  for await (const { status } of playOne(demonstration, executors, undefined, screen, stop.signal)) {
    if (status !== 'ok') code = 1
  }
  return code
}
