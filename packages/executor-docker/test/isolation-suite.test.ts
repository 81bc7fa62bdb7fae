import { describeIsolation } from '@codeact/testing'
import { leftovers, withImage } from './leftovers.ts'
import { docker } from './requirements.ts'

describeIsolation({ name: 'docker()', create: withImage(), gate: docker, leftovers })
