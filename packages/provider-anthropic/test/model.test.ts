import { describeModel } from '@codeact/testing'
import { subject } from './subject.ts'

describeModel(subject)
