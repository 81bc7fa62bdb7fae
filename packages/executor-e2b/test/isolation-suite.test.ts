import { describeIsolation } from '@codeact/testing'
import { leftovers, onTarget } from './suite.ts'
import { slow } from './target.ts'

describeIsolation({ name: 'e2b()', create: onTarget(), gate: slow, leftovers })
