import { describeKernel, PYTHON_SNIPPETS } from '@codeact/testing'
import { local } from '../src/index.ts'
import { bubblewrap } from './requirements.ts'

describeKernel({
  language: 'python',
  snippets: PYTHON_SNIPPETS,
  create: (options) => local(options),
  gate: bubblewrap,
})
