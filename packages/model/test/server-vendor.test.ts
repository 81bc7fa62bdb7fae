import { expect, test } from 'vitest'
import { ask, ModelFault, resolveServer, serverVendor } from '../src/index.ts'
import { NAMES } from './names.ts'

const refused = (apiKey: string | undefined, words: string) => {
  const headers = { 'x-token': 'token-0123456789', 'x-version': '2023-06-01' }
  const settings = resolveServer({ apiKey, baseURL: 'http://mine:1', headers }, NAMES, {})
  const vendor = serverVendor(settings, { hints: { key: 'export MINE_KEY=…' } })
  return ask(vendor, () => Promise.reject(new ModelFault({ status: 401, words })))
}

test('a server that refuses the key, and one that asks for a key', async () => {
  await expect(refused('key-0123456789', 'no')).rejects.toMatchObject({
    message: 'http://mine:1 refused the key: 401 no',
    hint: 'Set a key that is valid for http://mine:1: export MINE_KEY=…',
  })
  await expect(refused(undefined, 'no')).rejects.toMatchObject({ message: 'http://mine:1 asks for a key: 401 no' })
})

test('key and headers are secrets, and the word for no key is none', async () => {
  await expect(refused('key-0123456789', 'key-0123456789 token-0123456789 2023-06-01')).rejects.toMatchObject({
    message: 'http://mine:1 refused the key: 401 *** *** 2023-06-01',
  })
  await expect(refused(undefined, 'none of it')).rejects.toMatchObject({
    message: expect.stringMatching(/none of it$/),
  })
})
