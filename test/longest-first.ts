import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Suites that are short to write and long to run. One that came last would run alone, with every other worker at rest. */
const LONG = /\/(conformance|faults|kernel|readme)\b[^/]*\.test\.ts$/

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
