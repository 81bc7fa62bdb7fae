import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linksOn, realPath } from '../src/links.ts'

let root: string
const at = (...parts: string[]): string => join(root, ...parts)

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'codeact-test-')))
  await mkdir(at('real/bin'), { recursive: true })
  await writeFile(at('real/bin/python'), '')
  await symlink('real', at('version'))
  await symlink(at('version/bin'), at('current'))
  await symlink('../version/../current/python', at('real/python'))
  await symlink('circle', at('circle'))
})
afterAll(() => rm(root, { recursive: true }))

describe('the links on a path', () => {
  it('are none where there are none', () => {
    expect(linksOn(at('real/bin/python'))).toEqual([])
  })

  it('are all that are met on the way, in the order of the way', () => {
    expect(linksOn(at('version/bin/python'))).toEqual([at('version')])
    expect(linksOn(at('current/python'))).toEqual([at('current'), at('version')])
  })

  it('are found behind dots and behind other links', () => {
    expect(linksOn(at('real/python'))).toEqual([at('real/python'), at('version'), at('current'), at('version')])
    expect(realPath(at('real/python'))).toBe(at('real/bin/python'))
  })

  it('come to an end, also in a circle or where nothing is', () => {
    expect(linksOn(at('circle/x')).length).toBeLessThan(100)
    expect(linksOn(at('nowhere/x'))).toEqual([])
    expect([realPath(at('circle')), realPath(at('nowhere'))]).toEqual([undefined, undefined])
  })
})
