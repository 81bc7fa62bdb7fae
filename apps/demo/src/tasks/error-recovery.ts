import { fenced } from '@codeact/parsers'
import type { Demonstration } from './demonstration.ts'

// The deviation is that of the whole population, the root of 910 / 6: 12.32, and not the 12.17 that is printed for these
// numbers elsewhere. (Of a sample it would be 13.49.)
export const errorRecovery: Demonstration = {
  name: 'error-recovery',
  about: 'an error that the model is shown, and mends',
  parser: fenced(),
  questions: [
    {
      title: 'mean, deviation',
      task: 'What are the mean and the (population) standard deviation of 4, 8, 15, 16, 23 and 42? Import nothing. When you know, begin a line with DONE.',
      expected: ['18.00', '12.32'],
    },
  ],
}
