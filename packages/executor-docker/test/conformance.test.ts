import { describeExecutor } from '@codeact/testing'
import { withImage } from './leftovers.ts'
import { docker } from './requirements.ts'

describeExecutor({ name: 'docker()', create: withImage(), gate: docker })
