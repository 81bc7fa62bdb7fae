import { xml } from '@codeact/parsers'
import { calculator } from './calculator.ts'
import type { Demonstration } from './demonstration.ts'

// 55 and 6765 are the last of the first 10 and 20 numbers, not their sums: those are 88 and 10945, as in `prebuilt`.
export const fromScratch: Demonstration = {
  name: 'from-scratch',
  about: 'tools, last-expression values, and a function that lives on',
  parser: xml(),
  tools: calculator,
  questions: [
    {
      title: 'sum of 1 to 10',
      task: 'What do the whole numbers from 1 to 10 add up to? Use the tools.',
      expected: ['55'],
    },
    { title: '(5 + 3) times 2', task: 'Take 5 plus 3, and double it.', expected: ['16'] },
    {
      title: '10th Fibonacci',
      task: 'Work out the first 10 Fibonacci numbers. What is the last of them?',
      expected: ['55'],
    },
    { title: '20th Fibonacci', task: 'And when you go on to the first 20?', expected: ['6765'] },
  ],
}
