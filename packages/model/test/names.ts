import type { ServerNames } from '../src/index.ts'

export const NAMES: ServerNames = {
  vendor: 'Mine',
  keyVariable: 'MINE_KEY',
  keyExample: 'mine-…',
  urlVariable: 'MINE_URL',
  url: 'https://api.mine.example',
  urlExample: 'http://localhost:1234',
}
