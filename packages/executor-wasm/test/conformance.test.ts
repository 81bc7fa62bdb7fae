import { describeExecutor } from '@codeact/testing'
import { wasm } from '../src/index.ts'

describeExecutor({ name: 'wasm()', create: wasm })
