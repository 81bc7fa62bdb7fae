import { describeExecutor } from '@codeact/testing'
import { withImage } from './leftovers.ts'
import { docker, slow } from './requirements.ts'

// The kernel suite is the quick one.
describeExecutor({ name: 'docker()', create: withImage(), gate: docker.isMet ? slow : docker })
