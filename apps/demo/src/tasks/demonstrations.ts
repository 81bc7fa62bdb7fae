import type { Demonstration } from './demonstration.ts'
import { errorRecovery } from './error-recovery.ts'
import { fromScratch } from './from-scratch.ts'
import { laptops } from './laptops.ts'
import { numpy } from './numpy.ts'
import { prebuilt } from './prebuilt.ts'
import { sales } from './sales.ts'

/** All that there is to show, in the order in which it is shown. */
export const demonstrations: readonly Demonstration[] = [fromScratch, prebuilt, laptops, sales, errorRecovery, numpy]
