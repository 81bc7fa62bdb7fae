import { xml } from '@codeact/parsers'
import { calculator } from './calculator.ts'
import type { Demonstration } from './demonstration.ts'

// The Fibonacci numbers begin 0, 1, 1, 2 here: the first ten of them make 88.
export const prebuilt: Demonstration = {
  name: 'prebuilt',
  about: 'printed output as the result, and a function that lives on',
  parser: xml(),
  tools: calculator,
  questions: [
    { title: 'sum of 1 to 10', task: 'Sum up all integers between 1 and 10, both included.', expected: ['55'] },
    { title: '(5 + 3) times 2', task: 'Add 3 to 5 and multiply what you get by 2.', expected: ['16'] },
    {
      title: 'Fibonacci sum, 10',
      task: 'Sum up the first 10 Fibonacci numbers, beginning with 0 and 1.',
      expected: ['88'],
    },
    { title: 'Fibonacci sum, 20', task: 'Now sum up the first 20 of them.', expected: ['10945'] },
  ],
}
