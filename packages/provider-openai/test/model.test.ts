import { describeModel } from '@codeact/testing'
import { chatSubject, responsesSubject } from './subjects.ts'

describeModel(chatSubject)
describeModel(responsesSubject)
