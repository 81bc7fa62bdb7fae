import { exportsHaveNames, filesAreSmall, nothingIsLeftToDo } from './code.ts'
import { dependenciesAreUsed, importsAreDeclared, siblingsAreLinked } from './dependencies.ts'
import type { House } from './house.ts'
import { filesHaveNoCycle, floorsAreDeclared, importsGoDown, packagesHaveNoCycle, pathsStayInside } from './order.ts'
import { manifestsAgree, packagesAreWhole, promisesAreKept, releasesAreTogether } from './shape.ts'

/** A look at the house: complaints, each saying what to do; none where all is well. */
export type Check = (house: House) => string[]

/** The order of the house. */
export const rules: readonly [rule: string, check: Check][] = [
  ['every package has a floor', floorsAreDeclared],
  ['a package imports from lower floors only', importsGoDown],
  ['a package is reached by its name', pathsStayInside],
  ['packages do not depend on each other in a circle', packagesHaveNoCycle],
  ['files do not import each other in a circle', filesHaveNoCycle],
  ['what is imported is declared', importsAreDeclared],
  ['what is declared is used', dependenciesAreUsed],
  ['packages take each other from the workspace', siblingsAreLinked],
  ['manifests agree', manifestsAgree],
  ['every package has a README, an entry and a test', packagesAreWhole],
  ['what a manifest points at is there', promisesAreKept],
  ['all packages are released together', releasesAreTogether],
  ['exports have names', exportsHaveNames],
  ['files are small', filesAreSmall],
  ['nothing is left to do', nothingIsLeftToDo],
]
