import { xml } from '@codeact/parsers'
import type { Demonstration } from './demonstration.ts'

export const numpy: Demonstration = {
  name: 'numpy',
  about: 'a module that the code finds loaded',
  parser: xml(),
  preload: {
    module: 'numpy',
    python: 'import numpy as np',
    install: 'pip install numpy, or apt-get install python3-numpy',
  },
  questions: [
    {
      title: 'numpy squares',
      task: 'numpy is there as np. What is the sum of the squares of 1 to 100?',
      expected: ['338350'],
    },
  ],
}
