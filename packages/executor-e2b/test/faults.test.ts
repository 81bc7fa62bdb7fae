import { describeFaults } from '@codeact/testing'
import { leftovers, onTarget } from './suite.ts'
import { slow } from './target.ts'

describeFaults({ name: 'e2b()', create: onTarget(), gate: slow, leftovers })
