import { newId } from '@codeact/spec'
import type Docker from 'dockerode'
import { onTestFinished } from 'vitest'
import { connectDocker } from '../src/connection.ts'
import { startContainer } from '../src/container.ts'
import { containerOptions, type NamedOptions } from '../src/container-options.ts'
import type { DockerOptions } from '../src/docker-options.ts'
import { resolveImage } from '../src/image.ts'
import { ownerLabels, SANDBOX_LABEL } from '../src/owner-labels.ts'
import { PATIENCE } from '../src/patience.ts'
import type { RunningContainer } from '../src/running-container.ts'
import { checkSettings } from '../src/settings.ts'
import { IMAGE } from './requirements.ts'

/** Containers of this test file, and of no other. */
export const MARK = `test-${process.pid}`

let connecting: Promise<Docker> | undefined

export function engine(): Promise<Docker> {
  connecting ??= connectDocker()
  return connecting
}

/** What a container of ours is created with. */
export async function plan(command: string[], options: DockerOptions = {}): Promise<NamedOptions> {
  return containerOptions({
    settings: checkSettings(options),
    image: await resolveImage(await engine(), options.image ?? IMAGE),
    command,
    name: newId('codeact'),
    labels: await ownerLabels(MARK),
  })
}

/** A container that runs, and what it has written so far. */
export interface Started {
  readonly container: RunningContainer
  readonly said: { stdout: string; stderr: string }
}

export async function start(command: string[], options: DockerOptions = {}): Promise<Started> {
  const said = { stdout: '', stderr: '' }
  const outputs = {
    stdout: (bytes: Uint8Array) => {
      said.stdout += Buffer.from(bytes).toString()
    },
    stderr: (bytes: Uint8Array) => {
      said.stderr += Buffer.from(bytes).toString()
    },
  }
  const container = await startContainer(await engine(), await plan(command, options), outputs, undefined, PATIENCE)
  onTestFinished(() => container.close())
  return { container, said }
}

/** What Python says, run in a container of its own. */
export async function python(code: string, options: DockerOptions = {}): Promise<string> {
  const { container, said } = await start(['python3', '-I', '-c', code], options)
  await container.closed
  return said.stdout.trim() || said.stderr
}

/** The containers of this test file that are still there, in whatever state. */
export async function containersLeft(): Promise<string[]> {
  const label = [`${SANDBOX_LABEL}=${MARK}`]
  return (await (await engine()).listContainers({ all: true, filters: { label } })).map(({ Id }) => Id)
}
