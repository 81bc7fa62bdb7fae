import { beforeAll, describe, expect, it } from 'vitest'
import { onRequest } from '../src/index.ts'
import { type Result, report } from './fixtures/report.ts'

const slow = onRequest('slow')

describe.skipIf(!slow.isMet)(`describeExecutor() ${slow.reason}`, () => {
  let results: readonly Result[] = []
  const of = (name: string, row?: string) =>
    results.filter(
      ({ ancestorTitles: [first = '', second] }) => first.startsWith(name) && (row === undefined || second === row),
    )

  beforeAll(async () => {
    results = await report('yes.fixture.ts')
  }, 120_000)

  it.each(['state', 'value', 'display', 'output', 'errors', 'tools', 'timeout', 'crash', 'isolation', 'files'])(
    'finds out an executor that only says yes: %s',
    (row) => {
      expect(of('boastful', row).some(({ status }) => status === 'failed')).toBe(true)
      expect(of('boastful', row).filter(({ status }) => status === 'skipped')).toEqual([])
    },
  )

  it('finds events without an end, and a lifetime without one', () => {
    const loose = of('boastful').filter(({ ancestorTitles }) => ancestorTitles.length === 1)
    for (const what of ['events', 'lifetime']) {
      expect(loose.some(({ title, status }) => title.startsWith(what) && status === 'failed')).toBe(true)
    }
  })

  it('skips what an executor itself says that it does not keep', () => {
    const rows = of('honest').filter(({ ancestorTitles }) => ancestorTitles.length === 2)
    const ran = rows.filter(({ status }) => status !== 'skipped' && status !== 'pending')
    expect(rows.length).toBeGreaterThan(50)
    expect(ran).toEqual([])
  })

  it('skips by name where what it needs is missing', () => {
    expect(of('absent').length).toBeGreaterThan(50)
    for (const { ancestorTitles, status } of of('absent')) {
      expect(ancestorTitles[0]).toBe('absent (skipped: needs engine: none here)')
      expect(['skipped', 'pending']).toContain(status)
    }
  })

  describe.each(['faults', 'isolation'])('beside it: %s', (suite) => {
    it('lets no case pass of an executor that only says yes', () => {
      const cases = of(`${suite}: boastful`)
      expect(cases.length).toBeGreaterThan(15)
      expect(cases.filter(({ status }) => status !== 'failed').map(({ title }) => title)).toEqual([])
    })

    it('finds it out by most of the cases themselves, not only by what is asked after each', () => {
      const cases = of(`${suite}: boastful`)
      const byOracle = cases.filter(({ failureMessages }) => failureMessages.join().includes('beside it still answers'))
      expect(byOracle.length).toBeLessThan(cases.length / 3)
    })

    it('skips what is declared, and what is missing', () => {
      for (const name of ['honest', 'absent']) {
        const cases = of(`${suite}: ${name}`)
        expect(cases.length).toBeGreaterThan(15)
        expect(cases.filter(({ status }) => status === 'failed' || status === 'passed')).toEqual([])
      }
    })
  })

  it.each(['', 'faults: ', 'isolation: '])(
    '%swritten in Python is skipped where that is not what is spoken',
    (suite) => {
      const cases = of(`${suite}foreign`)
      expect(cases.length).toBeGreaterThan(15)
      expect(cases.filter(({ status }) => status === 'failed' || status === 'passed')).toEqual([])
    },
  )

  describe('describeKernel()', () => {
    const titles = (language: string, ...found: Result['status'][]) =>
      of(`kernel: ${language}`).flatMap(({ title, status }) => (found.includes(status) ? title : []))

    it('finds a kernel out that only says yes, by every case', () => {
      expect(titles('python', 'failed').length).toBeGreaterThan(35)
      expect(titles('python', 'passed', 'skipped', 'pending')).toEqual([])
    })

    it('skips what is declared, and nothing that cannot be', () => {
      const failed = titles('cobol', 'failed', 'passed').map((title) => title.split(' > ')[0])
      expect([...new Set(failed)]).toEqual(['events', 'lifetime'])
    })

    it('skips a language that is not spoken, and what is missing', () => {
      for (const language of ['unspoken', 'absent']) {
        expect(titles(language, 'skipped', 'pending').length).toBeGreaterThan(35)
        expect(titles(language, 'failed', 'passed')).toEqual([])
      }
    })
  })
})
