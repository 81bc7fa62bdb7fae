import { describeExecutor } from '@codeact/testing'
import { local } from '../src/index.ts'
import { isolation, python } from './requirements.ts'

describeExecutor({ name: `local() with ${isolation.name}`, create: (options) => local(options), gate: isolation })

describeExecutor({
  name: "local({ isolation: 'none' })",
  create: (options) => local({ ...options, isolation: 'none' }),
  gate: python,
})
