import { describeFaults } from '@codeact/testing'
import { leftovers, withImage } from './leftovers.ts'
import { docker } from './requirements.ts'

describeFaults({ name: 'docker()', create: withImage(), gate: docker, leftovers })
