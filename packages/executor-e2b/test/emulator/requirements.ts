import { requirement } from '@codeact/testing'
import { checkCage } from './cage.ts'

/** What the emulator's sandboxes are made of. */
export const bubblewrap = await requirement('bubblewrap', checkCage)
