import { describeKernel, PYTHON_SNIPPETS } from '@codeact/testing'
import { leftovers, marked } from './leftovers.ts'
import { bubblewrap } from './requirements.ts'

describeKernel({ language: 'python', snippets: PYTHON_SNIPPETS, create: marked(), gate: bubblewrap, leftovers })
