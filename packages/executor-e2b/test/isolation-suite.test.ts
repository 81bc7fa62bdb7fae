import { describeIsolation } from '@codeact/testing'
import { leftovers, onTarget, slow } from './target.ts'

describeIsolation({ name: 'e2b()', create: onTarget(), gate: slow, leftovers })
