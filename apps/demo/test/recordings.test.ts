import { readdirSync, readFileSync } from 'node:fs'
import type { CodeActEvent } from '@codeact/spec'
import { describe, expect, test } from 'vitest'
import { demonstrations } from '../src/tasks/demonstrations.ts'

const folder = new URL('../recordings/', import.meta.url)

function linesOf(name: string): CodeActEvent[] {
  const text = readFileSync(new URL(`${name}.jsonl`, folder), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as CodeActEvent)
}

test('each demonstration has a recording, and each recording is shown', () => {
  const files = readdirSync(folder).map((file) => file.replace(/\.jsonl$/, ''))
  expect(files.sort()).toEqual(demonstrations.map(({ name }) => name).sort())
})

describe.each(demonstrations)('$name', ({ name, questions, parser }) => {
  const lines = linesOf(name)

  test('holds what is needed to play it and nothing else, so that its code stands in it once', () => {
    const needed = ['run-start', 'model-end', 'observation', 'run-end']
    expect(lines.filter(({ type }) => !needed.includes(type))).toEqual([])
  })

  test('holds these tasks, in this order', () => {
    const starts = lines.flatMap((event) => (event.type === 'run-start' ? [event] : []))
    expect(starts.map(({ task }) => task)).toEqual(questions.map(({ task }) => task))
    expect(new Set(starts.map((start) => start.parser))).toEqual(new Set([parser.name]))
  })

  test('is a stream of events for each task', () => {
    for (const run of new Set(lines.map((event) => event.run))) {
      const stream = lines.filter((event) => event.run === run)
      expect(stream.map(({ seq }) => seq)).toEqual(stream.map((_, index) => index))
      expect([stream[0]?.type, stream.at(-1)?.type]).toEqual(['run-start', 'run-end'])
    }
  })
})
