import { describeExecutor } from '@codeact/testing'
import { local } from '../src/index.ts'
import { isolation, python, slow } from './requirements.ts'

describeExecutor({ name: `local() with ${isolation.name}`, create: (options) => local(options), gate: isolation })

// The kernel is the same; what is around it is tried by `faults-plain`.
describeExecutor({
  name: "local({ isolation: 'none' })",
  create: (options) => local({ ...options, isolation: 'none' }),
  gate: python.isMet ? slow : python,
})
