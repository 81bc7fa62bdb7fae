import { describeFaults } from '@codeact/testing'
import { leftovers, withImage } from './leftovers.ts'
import { docker, slow } from './requirements.ts'

describeFaults({ name: 'docker()', create: withImage(), gate: docker.isMet ? slow : docker, leftovers })
