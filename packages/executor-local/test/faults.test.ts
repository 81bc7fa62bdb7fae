import { describeFaults } from '@codeact/testing'
import { leftovers, marked } from './leftovers.ts'
import { bubblewrap, slow } from './requirements.ts'

describeFaults({ name: 'local() with bubblewrap', create: marked(), gate: bubblewrap, leftovers, slow })
