import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { usualSockets } from '../src/usual-sockets.ts'

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'codeact-home-'))
  for (const folder of ['.docker/run', '.docker/desktop', 'runtime']) {
    await mkdir(join(home, folder), { recursive: true })
    await writeFile(join(home, folder, 'docker.sock'), '')
  }
})
afterAll(() => rm(home, { recursive: true }))

it.skipIf(process.platform === 'win32')(
  'finds the sockets of a user in order, and names only those that are there',
  () => {
    const found = usualSockets({ HOME: home, XDG_RUNTIME_DIR: join(home, 'runtime') })
    const own = found.filter((path) => path.startsWith(home)).map((path) => path.slice(home.length + 1))
    expect(own).toEqual(['runtime/docker.sock', '.docker/run/docker.sock', '.docker/desktop/docker.sock'])
    const elsewhere = usualSockets({ HOME: join(home, 'runtime'), XDG_RUNTIME_DIR: home })
    expect(elsewhere.filter((path) => path.startsWith(home))).toEqual([])
    expect(found.indexOf('/var/run/docker.sock')).toBeLessThanOrEqual(0)
  },
)
