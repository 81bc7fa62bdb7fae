import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { defineExecutor } from '@codeact/sandbox'
import type { OpenOptions, Sandbox } from '@codeact/spec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseIsolation } from '../src/isolation.ts'
import type { LocalOptions } from '../src/local.ts'
import { openBackend } from '../src/open-backend.ts'
import { evaluate } from './evaluate.ts'
import { python } from './requirements.ts'

/** In the place of `sandbox-exec`: it keeps nothing apart, and runs what it is given to run. */
const RUNS = '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n'
const REFUSES = '#!/bin/sh\necho "sandbox-exec: sandbox_apply: Operation not permitted" >&2\nexit 71\n'
const ABORTS = '#!/bin/sh\nkill -ABRT $$\n'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codeact-test-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A sandbox as macOS would open it, with a script instead of its own program. */
async function open(script: string, options: LocalOptions = {}, openOptions: OpenOptions = {}): Promise<Sandbox> {
  const file = join(folder, 'sandbox-exec')
  await writeFile(file, script, { mode: 0o755 })
  const openBackendThere = async (more: OpenOptions) =>
    openBackend(options, await chooseIsolation(undefined, 'darwin', file), more)
  const definition = { name: 'local', languages: ['python'], options, unsupported: {}, openBackend: openBackendThere }
  return defineExecutor(definition).open(openOptions)
}

describe.skipIf(!python.isMet)(`what Seatbelt is given to run ${python.reason}`, () => {
  it('says at every start, and in its capabilities, that nobody has verified it', async () => {
    const said: string[] = []
    const sandbox = await open(RUNS, {}, { onProgress: ({ message }) => said.push(message) })
    expect(said).toEqual([expect.stringContaining('isolated by Seatbelt, which nobody has verified yet')])
    expect(sandbox.capabilities).toMatchObject({
      isolation: 'seatbelt',
      exceptions: expect.arrayContaining([expect.objectContaining({ promise: 'isolation.verified' })]),
    })
    await sandbox.close()
  })

  it('is the kernel, in the workspace, with temporary files beside it that go with it', async () => {
    const sandbox = await open(RUNS, { env: { GREETING: 'hi' } })
    await sandbox.files.write('here.txt', 'x')
    const code = 'import os, tempfile\n[os.getcwd(), tempfile.mkdtemp(), os.environ["GREETING"], *os.listdir(".")]'
    const [cwd = '', temporary = '', ...rest] = JSON.parse(
      ((await evaluate(sandbox, code)) ?? '').replaceAll("'", '"'),
    ) as string[]
    expect(rest).toEqual(['hi', 'here.txt'])
    expect(cwd).toBe(await realpath(cwd))
    expect(dirname(dirname(temporary))).toBe(dirname(cwd))
    await sandbox.close()
    await expect(readdir(dirname(cwd))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it.for([
    ['that refuses', REFUSES, 'EXECUTOR_UNAVAILABLE', /sandbox_apply: Operation not permitted/],
    ['in which Python dies', ABORTS, 'KERNEL_START_FAILED', /SIGABRT/],
  ] as const)('by one %s is an error that says so, and leaves nothing', async ([, script, code, message]) => {
    const own = async () => (await readdir(tmpdir())).filter((name) => name.includes(`-${process.pid}-`))
    await expect(open(script)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    expect(await own()).toEqual([])
  })

  it('is refused with mounts that it cannot show, before anything starts', async () => {
    await expect(open(RUNS, { mounts: { '/data': folder } })).rejects.toMatchObject({
      code: 'OPTION_UNSUPPORTED',
      message: expect.stringContaining('/data'),
    })
  })
})
