import { type LoadedConfig, loadConfig, nearest, resolveModel } from '@codeact/config'
import type { LanguageModel } from '@codeact/spec'
import { noServedModel } from '../choose-model.ts'
import type { Flags } from '../command-line.ts'
import { configFlags } from '../config-flags.ts'
import { Executors } from '../play/executors.ts'
import { type Outcome, unasked } from '../play/outcome.ts'
import { playSession } from '../play/play-session.ts'
import { recorded } from '../play/recorded.ts'
import { heading } from '../render/heading.ts'
import { prose } from '../render/prose.ts'
import { summary } from '../render/summary.ts'
import { verdict } from '../render/verdict.ts'
import { openScreen, type Screen } from '../screen.ts'
import type { Stop } from '../stop.ts'
import type { Demonstration } from '../tasks/demonstration.ts'
import { demonstrations } from '../tasks/demonstrations.ts'
import { usageError } from '../usage-error.ts'

/** `codeact tasks`: plays demonstrations, and exits with 0 if all came out as expected. */
export async function playTasks(names: readonly string[], flags: Flags, stop: Stop): Promise<number> {
  const chosen = choose(names)
  const config = await loadConfig({ file: flags.config, flags: configFlags(flags) })
  const model = await namedModel(config, flags)
  await using executors = await Executors.open(config, stop.signal)
  const screen = openScreen(flags)
  screen.say(`\n${prose(introduction(model, executors.name), '  ', screen.width)}`)
  const outcomes: Outcome[] = []
  for (const demonstration of chosen) {
    screen.say(heading(demonstration.name, demonstration.about, screen.width, screen.style))
    for await (const outcome of playOne(demonstration, executors, model, screen, stop.signal)) outcomes.push(outcome)
    if (stop.signal.aborted) break
  }
  screen.say(heading('summary', `code run by ${executors.name}`, screen.width, screen.style))
  screen.say(summary(outcomes, screen.width, screen.style))
  return outcomes.every(({ status }) => status === 'ok' || status === 'skipped') ? 0 : 1
}

/** Plays one demonstration on a screen, with a verdict after each question. */
export async function* playOne(
  demonstration: Demonstration,
  executors: Executors,
  model: LanguageModel | undefined,
  screen: Screen,
  signal: AbortSignal,
): AsyncGenerator<Outcome, void, undefined> {
  for await (const outcome of outcomesOf(demonstration, executors, model, screen, signal)) {
    if (outcome.status !== 'skipped' && outcome.status !== 'unplayed') screen.say()
    if (outcome.status !== 'unplayed') screen.say(`${verdict(outcome, screen.width, screen.style)}\n`)
    yield outcome
  }
}

async function* outcomesOf(
  demonstration: Demonstration,
  executors: Executors,
  model: LanguageModel | undefined,
  { show, isWatched }: Screen,
  signal: AbortSignal,
): AsyncGenerator<Outcome, void, undefined> {
  const found = await executors.for(demonstration)
  if ('skip' in found) {
    for (const question of demonstration.questions) yield unasked(demonstration, question, 'skipped', found.skip)
  } else {
    const cast = { model: model ?? recorded(demonstration, isWatched), executor: found.executor, show, signal }
    yield* playSession(demonstration, cast)
  }
}

/** A model plays only where this call names it: that of a config file is for the user's own tasks, and may cost money. */
async function namedModel(config: LoadedConfig, flags: Flags): Promise<LanguageModel | undefined> {
  if (flags.model !== undefined || process.env.CODEACT_MODEL) return resolveModel(config)
  if (flags['base-url'] !== undefined) throw noServedModel()
  return undefined
}

function choose(names: readonly string[]): readonly Demonstration[] {
  const known = demonstrations.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return demonstrations.filter(({ name }) => names.length === 0 || names.includes(name))
  const meant = nearest(unknown, known)
  const suggestion = meant === undefined ? '' : `Did you mean ${meant}? `
  throw usageError(`There are no recorded tasks named ${unknown}.`, `${suggestion}There are ${known.join(', ')}.`)
}

function introduction(model: LanguageModel | undefined, executor: string): string {
  if (model !== undefined) return `${model.id} works on the tasks. Its code runs in a sandbox (${executor}).`
  return `What the model says here is recorded. The code that it writes really runs, in a sandbox (${executor}), and must give what the recording says it gave.`
}
