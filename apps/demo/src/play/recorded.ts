import { fileURLToPath } from 'node:url'
import { replay } from '@codeact/provider-replay'
import type { LanguageModel } from '@codeact/spec'
import type { Demonstration } from '../tasks/demonstration.ts'
import { demonstrations } from '../tasks/demonstrations.ts'

/** Milliseconds between two words, where a person watches. */
const READING_PACE_MS = 8

/** The model that plays a demonstration's recording. */
export function recorded({ name }: Demonstration, isWatched: boolean): LanguageModel {
  const file = fileURLToPath(new URL(`../../recordings/${name}.jsonl`, import.meta.url))
  return replay(file, { delayMs: isWatched ? READING_PACE_MS : 0 })
}

/** The demonstration that holds a task, up to this task; upper and lower case and white space do not count. */
export function findRecorded(task: string): Demonstration | undefined {
  for (const demonstration of demonstrations) {
    const { questions } = demonstration
    const index = questions.findIndex((question) => plain(question.task) === plain(task))
    if (index >= 0) return { ...demonstration, questions: questions.slice(0, index + 1) }
  }
  return undefined
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
