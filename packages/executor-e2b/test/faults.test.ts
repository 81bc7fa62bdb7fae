import { describeFaults } from '@codeact/testing'
import { leftovers, onTarget } from './suite.ts'
import { slow } from './target.ts'

// The SDK decodes each piece of a stream several times over, and keeps what it has brought, in this process.
describeFaults({ name: 'e2b()', create: onTarget(), gate: slow, leftovers, leniency: { delay: 3, growth: 2 } })
