import { describeModel } from '@codeact/testing'
import { subjects } from './subjects.ts'

for (const subject of subjects) describeModel(subject)
