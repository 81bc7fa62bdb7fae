import { describeKernel, onRequest, PYTHON_SNIPPETS } from '@codeact/testing'
import { wasm } from '../src/index.ts'

describeKernel({ language: 'python', snippets: PYTHON_SNIPPETS, create: wasm, gate: onRequest('slow') })
