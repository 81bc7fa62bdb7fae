import { describe, expect, it } from 'vitest'
import { type LocalOptions, local } from '../../src/index.ts'
import type { CgroupPlaces } from '../../src/limits/cgroup-places.ts'
import { planLimits, type System } from '../../src/limits/plan.ts'
import { checkLimits } from '../../src/limits/settings.ts'

const place = { version: 2, folder: '/somewhere' } as const
const ALL: CgroupPlaces = new Map((['memory', 'pids', 'cpu'] as const).map((name) => [name, place]))
const NONE: CgroupPlaces = new Map()
const MAC: System = { isLinux: false, places: NONE, countsProcesses: false }

const linux = (places: CgroupPlaces, countsProcesses = false): System => ({ isLinux: true, places, countsProcesses })

describe('the limits', () => {
  it('have defaults', () => {
    expect(checkLimits({})).toEqual({
      ...{ memory: 512 * 1024 ** 2, cpus: undefined, processes: 256, files: 1024, disk: 1024 ** 3 },
      temporary: 128 * 1024 ** 2,
    })
  })

  it.for([
    [{ memory: '32m' }, 'limits.memory'],
    [{ memory: 'much' }, 'limits.memory'],
    [{ cpus: 0 }, 'limits.cpus'],
    [{ processes: 1.5 }, 'limits.processes'],
    [{ files: 100 }, 'limits.files'],
    [{ disk: -1 }, 'limits.disk'],
  ] as const)('%o is refused', async ([limits, name]) => {
    await expect(local({ limits } as LocalOptions).open()).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringContaining(name),
    })
  })
})

describe('what keeps them', () => {
  it('is a control group for each that there is one for, and a watch for the rest', () => {
    const all = planLimits({}, 'bubblewrap', linux(ALL))
    expect([all.watches, all.exceptions]).toEqual([{ memory: false, processes: false }, []])
    const some = planLimits({}, 'bubblewrap', linux(new Map([['pids', place]])))
    expect(some.watches).toEqual({ memory: true, processes: false })
    expect(some.exceptions.map(({ promise }) => promise)).toEqual(['limits.cpus'])
  })

  it('is the system itself for processes where it counts them apart, which it does with bubblewrap only', () => {
    const apart = planLimits({ limits: { processes: 30 } }, 'bubblewrap', linux(NONE, true))
    expect([apart.perProcess.processes, apart.watches.processes]).toEqual([30, false])
    const together = planLimits({ limits: { processes: 30 } }, 'none', linux(NONE, true))
    expect([together.perProcess.processes, together.watches.processes]).toEqual([undefined, true])
  })

  it('is each process for open files and the size of a file, everywhere', () => {
    const { perProcess } = planLimits({ limits: { files: 500, disk: '2m' } }, 'seatbelt', MAC)
    expect(perProcess).toEqual({ files: 500, fileBytes: 2 * 1024 ** 2 })
  })

  it('is nothing for a rate without a control group, which is refused when asked for, and declared else', () => {
    expect(() => planLimits({ limits: { cpus: 1 } }, 'bubblewrap', linux(NONE))).toThrow(
      /cannot honour the option limits\.cpus: it is a rate/,
    )
    expect(planLimits({ limits: { cpus: 1 } }, 'none', linux(ALL)).exceptions).toEqual([])
  })

  it('is nothing for the whole of a sandbox on macOS, which is refused when asked for, and declared else', () => {
    for (const limits of [{ memory: '1g' }, { cpus: 1 }, { processes: 20 }]) {
      expect(() => planLimits({ limits }, 'seatbelt', MAC)).toThrow(
        expect.objectContaining({ code: 'OPTION_UNSUPPORTED' }),
      )
    }
    expect(planLimits({}, 'seatbelt', MAC).exceptions.map(({ promise }) => promise)).toEqual([
      'limits.memory',
      'limits.cpus',
      'limits.processes',
    ])
  })
})
