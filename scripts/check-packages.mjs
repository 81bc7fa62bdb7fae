// Packs every package as it would be published, and checks what a user would get: publint for the manifest and the
// files, attw for the types. The packages must be built.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { root } from './lib/run.mjs'
import { pnpm, tool } from './lib/tools.mjs'

/** @typedef {{ name: string, version: string, exports: Record<string, unknown> }} Manifest */

const atATime = 2
const folder = mkdtempSync(join(tmpdir(), 'codeact-packages-'))
try {
  const { ok, output } = await pnpm('--recursive', 'pack', '--pack-destination', folder)
  if (!ok) throw new Error(output)
  const problems = await checkAll(manifests())
  console.log(problems.length === 0 ? 'every package is fit to publish' : problems.join('\n'))
  process.exitCode = problems.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** @returns {Manifest[]} */
function manifests() {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(parent, name)),
  )
  return folders.map((path) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')))
}

/** @param {Manifest[]} waiting @returns {Promise<string[]>} problems, for a person */
async function checkAll(waiting) {
  const lane = async () => {
    const problems = []
    for (let next = waiting.pop(); next; next = waiting.pop()) problems.push(...(await check(next)))
    return problems
  }
  return (await Promise.all(Array.from({ length: atATime }, lane))).flat()
}

/** @param {Manifest} manifest @returns {Promise<string[]>} */
async function check({ name, version, exports }) {
  const tarball = join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  const data = new Uint8Array(readFileSync(tarball))
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer }, strict: true })
  const problems = messages.map((message) => `${name}: ${formatMessage(message, pkg, { color: false })}`)
  if (!('.' in exports)) return problems // a command alone has no types to get wrong
  const types = await tool('attw', [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-color', '--no-emoji'])
  return types.ok ? problems : [...problems, `${name}: ${types.output}`]
}
