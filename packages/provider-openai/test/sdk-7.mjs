// Holds this package against the SDK's next major version: its types, and all its tests, under a Node that this version
// takes. It needs npm's registry, so it is no part of `npm test`: node packages/provider-openai/test/sdk-7.mjs
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SDK = 'openai@7'
const NODE = 'node@22'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const house = mkdtempSync(join(tmpdir(), 'codeact-sdk-'))
try {
  buildHouse()
  const { version } = JSON.parse(readFileSync(join(house, 'sdk/node_modules/openai/package.json'), 'utf8'))
  console.log(`openai ${version}`)
  run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'])
  const isNew = Number(process.versions.node.split('.')[0]) >= 22
  const [node, ...first] = isNew ? [process.execPath] : ['npx', '--yes', NODE]
  run(node, [...first, 'node_modules/vitest/vitest.mjs', 'run', 'packages/provider-openai'])
} finally {
  rmSync(house, { recursive: true })
}

/** This package, as it is here, in a house of its own with the other SDK; its siblings stay where they are. */
function buildHouse() {
  for (const path of ['package.json', 'tsconfig.base.json', 'vitest.config.ts', 'packages/provider-openai']) {
    const filter = (source) => !/node_modules|dist$/.test(source.slice(root.length))
    cpSync(join(root, path), join(house, path), { recursive: true, filter })
  }
  const compilerOptions = { noEmit: true, allowImportingTsExtensions: true, customConditions: ['@codeact/source'] }
  const include = ['packages/provider-openai/src', 'packages/provider-openai/test']
  const config = { extends: './tsconfig.base.json', compilerOptions, include }
  writeFileSync(join(house, 'tsconfig.json'), JSON.stringify(config))
  mkdirSync(join(house, 'sdk'))
  writeFileSync(join(house, 'sdk/package.json'), '{}')
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', SDK], join(house, 'sdk'))
  const modules = join(house, 'packages/provider-openai/node_modules')
  mkdirSync(join(modules, '@codeact'), { recursive: true })
  symlinkSync(join(house, 'sdk/node_modules/openai'), join(modules, 'openai'))
  for (const name of ['core', 'executor-wasm', 'model', 'parsers', 'spec', 'testing']) {
    symlinkSync(join(root, 'packages', name), join(modules, '@codeact', name))
  }
  symlinkSync(join(root, 'node_modules'), join(house, 'node_modules'))
}

function run(command, args, cwd = house) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} ended with ${status}.`)
}
