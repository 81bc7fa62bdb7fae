import { closeSync, openSync } from 'node:fs'
import type { ChannelEnd } from '@codeact/sandbox'
import { CodeActError, type Progress } from '@codeact/spec'
import { type ChildSettings, startChild } from './child-process.ts'
import type { Installation } from './installation.ts'
import { PythonProcess } from './python-process.ts'
import { discardSnapshot, findSnapshot, type Snapshot } from './snapshot.ts'

export type PythonLimits = Pick<ChildSettings, 'maxHeapBytes' | 'maxFileBytes' | 'env'>

export interface Started {
  readonly python: PythonProcess
  readonly version: string
}

const MOST_SNAPSHOTS = 2

/** Starts a Python, from a snapshot wherever that is possible: one that Python does not start from is made again, once. */
export async function startPython(
  installation: Installation,
  limits: PythonLimits,
  tell: ((progress: Progress) => void) | undefined,
): Promise<Started> {
  for (let attempt = 1; ; attempt++) {
    const snapshot = attempt > MOST_SNAPSHOTS ? undefined : await findSnapshot(installation, tell)
    const python = launch(installation, limits, snapshot)
    const first = await python.started
    if ('version' in first) return { python, version: first.version }
    if (snapshot === undefined) throw notStarted(first)
    await discardSnapshot(snapshot)
  }
}

function launch(installation: Installation, limits: PythonLimits, snapshot: Snapshot | undefined): PythonProcess {
  const descriptor = snapshot && openSync(snapshot.path, 'r')
  try {
    const child = startChild(installation, { task: 'run', snapshot: snapshot?.key, ...limits }, descriptor ?? 'ignore')
    return new PythonProcess(child, limits.maxHeapBytes)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function notStarted({ detail }: ChannelEnd): CodeActError {
  return new CodeActError('EXECUTOR_UNAVAILABLE', `wasm() could not start Python: ${detail}`, {
    hint: 'It needs about 300 MB of memory. If that is there, empty the cache folder and try again.',
  })
}
