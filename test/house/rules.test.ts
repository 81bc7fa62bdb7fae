import { describe, expect, test } from 'vitest'
import { exportsHaveNames, filesAreSmall, nothingIsLeftToDo } from './code.ts'
import { dependenciesAreUsed, importsAreDeclared, siblingsAreLinked } from './dependencies.ts'
import { filesHaveNoCycle, floorsAreDeclared, importsGoDown, packagesHaveNoCycle, pathsStayInside } from './order.ts'
import { type Check, rules } from './rules.ts'
import { manifestsAgree, packagesAreWhole, promisesAreKept, releasesAreTogether } from './shape.ts'
import { smallHouse } from './small-house.ts'

type Changes = Parameters<typeof smallHouse>[0]
const spec = 'packages/spec'
const core = 'packages/core'
const index = `${core}/src/index.ts`

/** What breaks each rule, and a part of the complaint that must follow: the only one. */
const broken: [check: Check, how: string, changes: Changes, complaint: string][] = [
  [
    floorsAreDeclared,
    'a new package',
    { 'packages/new/package.json': { name: '@codeact/new' } },
    '@codeact/new has no floor',
  ],
  [
    floorsAreDeclared,
    'a floor too many',
    { [`${core}/package.json`]: undefined },
    '@codeact/core has a floor and no folder',
  ],
  [
    importsGoDown,
    'an import',
    { [`${spec}/src/b.ts`]: "import { c } from '@codeact/core'" },
    'b.ts (floor 0) imports @codeact/core',
  ],
  [
    importsGoDown,
    'a type',
    { [`${spec}/src/b.ts`]: "import type { c } from '@codeact/core/deep'" },
    'imports @codeact/core',
  ],
  [
    importsGoDown,
    'a type in place',
    { [`${spec}/src/b.ts`]: "export let b: import('@codeact/core').C" },
    'imports @codeact/core',
  ],
  [importsGoDown, 'an export', { [`${spec}/src/b.ts`]: "export { c } from '@codeact/core'" }, 'imports @codeact/core'],
  [importsGoDown, 'a late import', { [`${spec}/src/b.ts`]: "await import('@codeact/demo')" }, 'imports @codeact/demo'],
  [importsGoDown, 'its own name', { [index]: "import '@codeact/core'" }, 'imports its own package by name'],
  [
    importsGoDown,
    'beside src',
    { 'apps/demo/child/child.mjs': "import '@codeact/demo'" },
    'child.mjs imports its own package',
  ],
  [pathsStayInside, 'a path', { [index]: "import { a } from '../../spec/src/a.ts'" }, 'to packages/spec/src/a.ts'],
  [
    packagesHaveNoCycle,
    'a test that needs what needs it',
    { [`${spec}/package.json`]: { devDependencies: { '@codeact/core': 'workspace:^' } } },
    '@codeact/spec -> @codeact/core -> @codeact/spec',
  ],
  [
    filesHaveNoCycle,
    'two files',
    { [`${spec}/src/a.ts`]: "import { b } from './b.ts'" },
    'a.ts -> packages/spec/src/b.ts -> packages/spec/src/a.ts',
  ],
  [
    filesHaveNoCycle,
    'the index',
    { [`${spec}/src/a.ts`]: "import './index.ts'" },
    'index.ts -> packages/spec/src/a.ts -> packages/spec/src/index.ts',
  ],
  [importsAreDeclared, 'an import', { [`${spec}/src/a.ts`]: "import { execa } from 'execa'" }, 'imports execa: add it'],
  [
    importsAreDeclared,
    'a type',
    { [`${spec}/src/a.ts`]: "import type { E } from '@e2b/sdk/x'" },
    'imports @e2b/sdk: add it',
  ],
  [
    importsAreDeclared,
    'declared for tests only',
    { [`${spec}/package.json`]: { devDependencies: { execa: 'catalog:' } }, [`${spec}/src/a.ts`]: "import 'execa'" },
    'imports execa: add it',
  ],
  [
    dependenciesAreUsed,
    'a dependency',
    { [`${spec}/package.json`]: { dependencies: { execa: 'catalog:' } } },
    'declares execa',
  ],
  [
    dependenciesAreUsed,
    'a peer',
    { [`${spec}/package.json`]: { peerDependencies: { vitest: '4' } } },
    'declares vitest',
  ],
  [
    siblingsAreLinked,
    'a star',
    { [`${core}/package.json`]: { dependencies: { '@codeact/spec': 'workspace:*' } } },
    "'workspace:*'",
  ],
  [
    siblingsAreLinked,
    'for tests',
    { [`${core}/package.json`]: { devDependencies: { '@codeact/demo': '1' } } },
    '@codeact/demo as',
  ],
  [manifestsAgree, 'a name', { [`${core}/package.json`]: { name: '@codeact/kernel' } }, 'name is "@codeact/kernel"'],
  [
    manifestsAgree,
    'a version',
    { [`${core}/package.json`]: { version: '2.0.0' } },
    'version is "2.0.0": make it "1.0.0"',
  ],
  [
    manifestsAgree,
    'a license',
    { [`${core}/package.json`]: { license: undefined } },
    'license is missing: make it "MIT"',
  ],
  [manifestsAgree, 'a type', { [`${core}/package.json`]: { type: 'commonjs' } }, 'type is "commonjs"'],
  [manifestsAgree, 'side effects', { [`${core}/package.json`]: { sideEffects: true } }, 'sideEffects is true'],
  [manifestsAgree, 'engines', { [`${core}/package.json`]: { engines: { node: '>=22' } } }, 'engines.node is ">=22"'],
  [packagesAreWhole, 'no README', { [`${core}/README.md`]: undefined }, 'packages/core has no README.md'],
  [packagesAreWhole, 'no entry', { [`${core}/src/index.ts`]: undefined }, 'packages/core has no src/index.ts'],
  [packagesAreWhole, 'no command', { 'apps/demo/src/cli.ts': undefined }, 'apps/demo has no src/cli.ts'],
  [packagesAreWhole, 'no test', { [`${core}/test/it.test.ts`]: undefined }, 'packages/core has no test'],
  [
    promisesAreKept,
    'a command',
    { 'apps/demo/package.json': { bin: { codeact: './dist/main.js' } } },
    'what src/main.ts would make',
  ],
  [
    promisesAreKept,
    'a file',
    { 'apps/demo/package.json': { exports: { './a.css': './a.css' } } },
    'what a.css would make',
  ],
  [
    promisesAreKept,
    'a late condition',
    {
      [`${core}/package.json`]: {
        exports: { '.': { default: './dist/index.js', '@codeact/source': './src/index.ts' } },
      },
    },
    "exports['.'] must be '@codeact/source'",
  ],
  [promisesAreKept, 'unpublished source', { [`${core}/package.json`]: { files: ['dist'] } }, "add 'src' to files"],
  [
    promisesAreKept,
    'an absent folder',
    { [`${core}/package.json`]: { files: ['dist', 'src', 'kernels'] } },
    'publishes kernels',
  ],
  [
    releasesAreTogether,
    'left out',
    { '.changeset/config.json': { fixed: [['@codeact/spec', '@codeact/d*']] } },
    '@codeact/core is released apart',
  ],
  [exportsHaveNames, 'a star', { [index]: "export * from './c.ts'" }, "has an 'export *'"],
  [exportsHaveNames, 'a default', { [index]: 'export default 1' }, 'has a default export'],
  [exportsHaveNames, 'a default by name', { [index]: 'const a = 1\nexport { a as default }' }, 'has a default export'],
  [filesAreSmall, 'source', { [index]: 'let a\n'.repeat(301) }, 'index.ts has 301 lines'],
  [filesAreSmall, 'a test', { [`${core}/test/it.test.ts`]: 'let a\n'.repeat(400) }, 'it.test.ts has 400 lines'],
  [filesAreSmall, 'a kernel', { [`${core}/kernels/it.py`]: 'a = 1\n'.repeat(301) }, 'it.py has 301 lines'],
  [nothingIsLeftToDo, 'a note', { [index]: '// TODO: more' }, 'index.ts says TODO'],
  [nothingIsLeftToDo, 'another', { [index]: '/* FIXME */' }, 'index.ts says TODO or FIXME'],
]

describe('a sound house', () => {
  test.each(rules)('%s', (_rule, check) => {
    expect(check(smallHouse())).toEqual([])
  })

  test('300 lines are not too many', () => {
    expect(filesAreSmall(smallHouse({ [index]: 'let a\n'.repeat(300) }))).toEqual([])
  })
})

describe('a house with a fault', () => {
  test.each(broken.map(([check, how, ...row]) => [`${check.name}: ${how}`, check, ...row] as const))(
    '%s',
    (_name, check, changes, complaint) => {
      expect(check(smallHouse(changes))).toEqual([expect.stringContaining(complaint)])
    },
  )

  test('every rule is seen to fail', () => {
    const seen = broken.map(([check]) => check)
    expect(rules.filter(([, check]) => !seen.includes(check))).toEqual([])
  })

  test('source that cannot be read is an error, not a pass', () => {
    expect(() => smallHouse({ [index]: 'import {' })).toThrow(index)
  })
})
