import { describeKernel, PYTHON_SNIPPETS } from '@codeact/testing'
import { leftovers, withImage } from './leftovers.ts'
import { docker, slow } from './requirements.ts'

const gate = docker.isMet ? slow : docker
describeKernel({ language: 'python', snippets: PYTHON_SNIPPETS, create: withImage(), gate, leftovers })
