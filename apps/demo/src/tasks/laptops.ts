import { stdoutAnswer } from '@codeact/core'
import { codeOnly } from '@codeact/parsers'
import type { Demonstration } from './demonstration.ts'

export const laptops: Demonstration = {
  name: 'laptops',
  about: 'one reply that is all code; what it prints is the answer',
  parser: codeOnly(),
  stopRules: [stdoutAnswer()],
  questions: [
    {
      title: 'best laptop',
      task: `Which of these laptops gives the most for its price? A score is CPU benchmark times battery hours, divided by price.

Laptop A: 1200 dollars, CPU benchmark 9500, 8 hours
Laptop B: 1000 dollars, CPU benchmark 8700, 10 hours
Laptop C: 900 dollars, CPU benchmark 8000, 7 hours

Print one JSON object: "selected" (a name), "scores" (by name), "reasoning" (a sentence).`,
      expected: ['Laptop B', '63.33', '87.00', '62.22'],
      read: verdict,
    },
  ],
}

function verdict(answer: string): string {
  const { selected, scores } = JSON.parse(answer) as { selected: string; scores: Record<string, number> }
  return [selected, ...Object.values(scores)].join(' ')
}
