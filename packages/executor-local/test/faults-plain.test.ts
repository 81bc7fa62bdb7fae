import { describeFaults } from '@codeact/testing'
import { leftovers, marked } from './leftovers.ts'
import { python, slow } from './requirements.ts'

// What happens inside the kernel is the same with bubblewrap, and tried there.
describeFaults({
  name: "local({ isolation: 'none' })",
  create: marked({ isolation: 'none' }),
  gate: python.isMet ? slow : python,
  leftovers,
  parts: ['control flow', 'lifetime', 'interference', 'files'],
})
