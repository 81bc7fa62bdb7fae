import { docker as dockerExecutor } from '@codeact/executor-docker'
import { local } from '@codeact/executor-local'
import { requirement } from '@codeact/testing'
import { findPython } from '../src/play/find-python.ts'

/** Sandboxes of `local`, in which all recordings can be played but those that want a library. */
export const bubblewrap = await requirement('bubblewrap', async () => {
  await using executor = local()
  await executor.open()
})

/** A Python that has numpy, where `codeact tasks` looks for one. */
export const numpy = await requirement('numpy', async () => {
  const python = await findPython('numpy', ['python3', '/usr/bin/python3'], new AbortController().signal)
  if (python === undefined) throw new Error('no Python has it (pip install numpy, or apt-get install python3-numpy)')
})

/** As `scripts/docker-test-image.py` makes it: the default one has to come from a registry. */
export const image = process.env.CODEACT_TEST_IMAGE ?? 'codeact-test:latest'

export const docker = await requirement('docker', async () => {
  await using executor = dockerExecutor({ image })
  await executor.open()
})
