import { describeExecutor } from '@codeact/testing'
import { local } from '../src/index.ts'
import { bubblewrap, python } from './requirements.ts'

describeExecutor({ name: 'local() with bubblewrap', create: (options) => local(options), gate: bubblewrap })

describeExecutor({
  name: "local({ isolation: 'none' })",
  create: (options) => local({ ...options, isolation: 'none' }),
  gate: python,
})
