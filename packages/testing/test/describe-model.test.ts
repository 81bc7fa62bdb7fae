import { beforeAll, describe, expect, it } from 'vitest'
import { onRequest } from '../src/index.ts'
import { FLAWS } from './fixtures/flaws.ts'
import { type Result, report } from './fixtures/report.ts'

const slow = onRequest('slow')

describe('describeModel()', () => {
  let results: readonly Result[] = []
  const of = (name: string) => results.filter(({ ancestorTitles }) => ancestorTitles[0] === `model: ${name}`)
  const titles = (name: string, status: Result['status']) =>
    of(name).flatMap((result) => (result.status === status ? result.title : []))

  beforeAll(async () => {
    const broken = slow.isMet ? [report('broken-models.fixture.ts', 2_000)] : []
    results = (await Promise.all([report('whole-models.fixture.ts'), ...broken])).flat()
  }, 120_000)

  it('is content with a model that keeps all of it, and skips nothing', () => {
    expect(of('whole').length).toBeGreaterThan(70)
    expect(of('whole').filter(({ status }) => status !== 'passed')).toEqual([])
  })

  it('skips what an adapter says that it does not keep', () => {
    expect(titles('honest', 'skipped').length + titles('honest', 'pending').length).toBeGreaterThan(10)
    expect(titles('honest', 'failed')).toEqual([])
  })

  it.skipIf(!slow.isMet)(`finds a model out that only says yes, by every row ${slow.reason}`, () => {
    expect(titles('mute', 'failed').length).toBeGreaterThan(70)
    expect(titles('mute', 'passed')).toEqual([])
  })

  it.skipIf(!slow.isMet).each(FLAWS)(`finds out a model that $flaw, and by what ${slow.reason}`, ({ flaw, rows }) => {
    const failed = titles(flaw, 'failed')
    expect(rows.filter((row) => !failed.some((title) => title.startsWith(row)))).toEqual([])
  })
})
