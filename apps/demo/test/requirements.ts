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
