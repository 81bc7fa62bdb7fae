import { spawn } from 'node:child_process'
import type { Executor } from '@codeact/spec'
import {
  type ChannelEnd,
  checkpointBytes,
  defineExecutor,
  type Place,
  pythonSupervisorStart,
  type SandboxOptions,
  supervisedBackend,
} from '../src/index.ts'

const WALLS = [
  ...['--unshare-all', '--unshare-user', '--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL', '--die-with-parent'],
  ...['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'],
  ...['/home', '/root', '/tmp', '/workspace'].flatMap((folder) => ['--tmpfs', folder]),
  ...['--chdir', '/workspace', '--clearenv', '--setenv', 'HOME', '/workspace'],
]

/** An executor whose sandboxes are supervised, as those of containers are: here a bubblewrap with its stdin and stdout. */
export function supervised(options: SandboxOptions = {}): Executor {
  return defineExecutor({
    name: 'supervised',
    languages: ['python'],
    options,
    unsupported: {},
    openBackend: () =>
      supervisedBackend({
        checkpointBytes: checkpointBytes('supervised', options),
        forks: '/tmp/forks',
        start: async (receive) => startPlace(receive),
        capabilities: ({ version }) => ({
          languages: [
            { language: 'python', version, checkpoint: checkpointBytes('supervised', options) !== undefined },
          ],
          isolation: 'bubblewrap',
          exceptions: [{ promise: 'limits', reason: 'bubblewrap has none' }],
        }),
      }),
  })
}

function startPlace(receive: (bytes: Uint8Array) => void): Place {
  const { arguments: args, input } = pythonSupervisorStart()
  const child = spawn('bwrap', [...WALLS, '/usr/bin/python3', ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = new Promise<ChannelEnd>((resolve) => {
    child.once('close', (code) => resolve({ reason: 'signal', detail: `the supervisor ended: ${code}` }))
  })
  child.stdout.on('data', receive)
  child.stdin.on('error', () => {})
  child.stdin.write(input)
  return {
    write: (bytes) => void child.stdin.write(bytes),
    closed,
    setIdle(isIdle) {
      for (const part of [child, child.stdin, child.stdout] as { ref(): void; unref(): void }[])
        isIdle ? part.unref() : part.ref()
    },
    async close() {
      child.kill('SIGKILL')
      await closed
    },
  }
}
