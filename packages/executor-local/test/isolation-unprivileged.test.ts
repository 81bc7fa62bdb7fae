import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pythonKernelFolder } from '@codeact/sandbox'
import { describeIsolation, requirement } from '@codeact/testing'
import { execa } from 'execa'
import { afterAll } from 'vitest'
import { leftovers, marked } from './leftovers.ts'

const NOBODY = 65534
const PYTHON = '/usr/bin/python3'

// Where the host is no root, the other suites are run by an ordinary user as it is.
const ordinaryUser = await requirement('root-to-become-an-ordinary-user', async () => {
  if (process.getuid?.() !== 0) throw new Error('this process is not root')
  const walls = ['--unshare-all', '--unshare-user', '--disable-userns', '--ro-bind', '/', '/', '--proc', '/proc']
  await execa(
    'bwrap',
    [...walls, PYTHON, '-c', 'import os, sys; os.stat(sys.argv[1])', join(pythonKernelFolder(), 'boot.py')],
    {
      ...{ uid: NOBODY, gid: NOBODY, cwd: '/' },
    },
  )
})

/** For good: each test file has a process of its own, and this one goes on as nobody. */
async function becomeOrdinary(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'ordinary-'))
  await chmod(home, 0o777)
  process.chdir(home)
  Object.assign(process.env, { HOME: home, TMPDIR: home })
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
  afterAll(() => rm(home, { recursive: true, force: true }).catch(() => {}))
}

if (ordinaryUser.isMet) await becomeOrdinary()

describeIsolation({
  name: 'local() with bubblewrap, as an ordinary user',
  create: marked({ python: PYTHON }),
  gate: ordinaryUser,
  leftovers,
})
