import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { NotMeasured } from './row.ts'

const IMAGE = process.env.CODEACT_TEST_IMAGE || 'codeact-test:latest'

/** The walls that `docker()` puts up, as `docker run` takes them: a floor without them would be that of something else. */
export const LIMITS: readonly string[] = [
  ['--rm', '--init', '--network=none', '--ipc=private', '--read-only', '--user=65534:65534'],
  ['--cap-drop=ALL', '--security-opt=no-new-privileges', '--log-driver=none'],
  ['--memory=512m', '--memory-swap=512m', '--cpus=1', '--pids-limit=128', '--shm-size=64m'],
  ['--ulimit=nofile=1024', '--ulimit=fsize=268435456', '--ulimit=core=0'],
  ['--tmpfs=/workspace:size=256m,mode=0700,uid=65534,gid=65534', '--workdir=/workspace'],
  ['--tmpfs=/tmp:size=64m,mode=1777'],
].flat()

/** Says the name of the image that both sides run in. Throws `NotMeasured` where there is no engine, or it has no such image. */
export async function testImage(): Promise<string> {
  await command('version').catch(() => {
    throw new NotMeasured('no Docker engine answers. Start one: sudo systemctl start docker')
  })
  await command('image', 'inspect', IMAGE).catch(() => {
    throw new NotMeasured(`Docker has no image ${IMAGE}. Make it: scripts/docker-test-image.py`)
  })
  return IMAGE
}

/** What a `docker` command prints. */
export async function command(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', args)
  return stdout.trim()
}
