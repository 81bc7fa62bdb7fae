import { describeExecutor } from '@codeact/testing'
import { onTarget } from './suite.ts'
import { slow } from './target.ts'

describeExecutor({ name: "e2b({ backend: 'jupyter' })", create: onTarget({ backend: 'jupyter' }), gate: slow })
