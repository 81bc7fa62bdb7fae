import { describeKernel, PYTHON_SNIPPETS } from '@codeact/testing'
import { leftovers, withImage } from './leftovers.ts'
import { docker } from './requirements.ts'

describeKernel({ language: 'python', snippets: PYTHON_SNIPPETS, create: withImage(), gate: docker, leftovers })
