import { describeExecutor } from '@codeact/testing'
import { onTarget } from './suite.ts'
import { slow } from './target.ts'

// The kernel suite is the quick one.
describeExecutor({ name: 'e2b()', create: onTarget(), gate: slow })
