import { describeFaults } from '@codeact/testing'
import { leftovers, onTarget, slow } from './target.ts'

describeFaults({ name: 'e2b()', create: onTarget(), gate: slow, leftovers })
