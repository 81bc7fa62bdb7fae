import { type House, readHouse } from './house.ts'

const manifest = (name: string, more: object = {}) =>
  JSON.stringify({
    name: `@codeact/${name}`,
    version: '1.0.0',
    license: 'MIT',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.19' },
    exports: { '.': { '@codeact/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist', 'src'],
    ...more,
  })

const rest = (folder: string) => ({
  [`${folder}/README.md`]: '# It',
  [`${folder}/tsconfig.json`]: '{}',
  [`${folder}/test/it.test.ts`]: '',
})

/** Two packages and a command, with nothing wrong. */
const sound: Record<string, string> = {
  '.changeset/config.json': '{ "fixed": [["@codeact/*"]] }',
  'packages/spec/package.json': manifest('spec'),
  'packages/spec/src/index.ts': "export { type A, a } from './a.ts'",
  'packages/spec/src/a.ts': "import type { B } from './b.ts'\nexport const a: B = 1\nexport type A = number",
  'packages/spec/src/b.ts': "import { a } from './a.ts'\nexport type B = number\nexport const b = a",
  ...rest('packages/spec'),
  'packages/core/package.json': manifest('core', {
    dependencies: { '@codeact/spec': 'workspace:^', zod: 'catalog:' },
    peerDependencies: { vitest: '4' },
  }),
  'packages/core/src/index.ts':
    "import { join } from 'node:path'\nimport type { A } from '@codeact/spec'\nimport { z } from 'zod/v4'\nexport const c: A = z(join(import.meta.resolve('vitest')))",
  ...rest('packages/core'),
  'apps/demo/package.json': manifest('demo', {
    bin: { codeact: './dist/cli.js' },
    exports: { './package.json': './package.json' },
    files: ['dist', 'src', 'child'],
    dependencies: { '@codeact/core': 'workspace:^', '@codeact/spec': 'workspace:^' },
  }),
  'apps/demo/src/cli.ts': "await import('@codeact/core')",
  'apps/demo/child/child.mjs': 'export const child = 1',
  ...rest('apps/demo'),
}

const rules = {
  floors: { '@codeact/spec': 0, '@codeact/core': 1, '@codeact/demo': 4 },
  brought: { '@codeact/demo': ['@codeact/spec'] },
}

/**
 * The sound house with some of its files written anew.
 *
 * @param changes paths and what they hold; `undefined` takes the file away, an object changes fields of a JSON file
 */
export function smallHouse(changes: Record<string, string | object | undefined> = {}): House {
  const tree = new Map(Object.entries(sound))
  for (const [path, change] of Object.entries(changes)) {
    if (change === undefined) tree.delete(path)
    else if (typeof change === 'string') tree.set(path, change)
    else tree.set(path, JSON.stringify({ ...JSON.parse(tree.get(path) ?? '{}'), ...change }))
  }
  return readHouse(tree, rules)
}
