import { describeKernel, PYTHON_SNIPPETS } from '@codeact/testing'
import { leftovers, onTarget } from './suite.ts'
import { slow } from './target.ts'

describeKernel({ language: 'python', snippets: PYTHON_SNIPPETS, create: onTarget(), gate: slow, leftovers })
