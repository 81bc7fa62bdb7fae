import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { stages } from '../../scripts/lib/stages.mjs'

test.each([
  ['went well', true, 'nothing of interest', /^building [ .]+ \d+\.\d s\n$/],
  ['failed', false, 'why', /^building [ .]+ failed after \d+\.\d s\nwhy\n$/],
  ['failed with a last line', false, 'why\n', /^building [ .]+ failed after \d+\.\d s\nwhy\n$/],
])('a stage that %s', async (_how, ok, output, told) => {
  const out = new PassThrough()
  expect(await stages(out)('building', async () => ({ ok, output }))).toBe(ok)
  expect(String(out.read())).toMatch(told)
})

test('a stage that throws has failed, and says where', async () => {
  const out = new PassThrough()
  expect(await stages(out)('building', () => Promise.reject(new Error('why')))).toBe(false)
  expect(String(out.read())).toMatch(/failed after \d+\.\d s\nError: why\n +at .*stages\.test\.ts/)
})
