// Builds every package that has changed.
import { stages } from './lib/stages.mjs'
import { build } from './lib/tools.mjs'

process.exitCode = (await stages(process.stdout)('building', build)) ? 0 : 1
