import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readHouse } from './house/house.ts'
import { rules } from './house/rules.ts'
import { readTree } from './house/tree.ts'

const house = readHouse(readTree(dirname(dirname(fileURLToPath(import.meta.url)))))

test('there is a house to look at', () => {
  expect(house.packages.length).toBeGreaterThan(0)
  expect(house.packages.flatMap(({ source }) => source).length).toBeGreaterThan(house.packages.length)
})

test.each(rules)('%s', (_rule, check) => {
  expect(check(house)).toEqual([])
})
