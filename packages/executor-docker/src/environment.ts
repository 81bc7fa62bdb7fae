import { WORKSPACE } from './mounts.ts'
import type { Settings } from './settings.ts'

/** What the code finds in its environment beside what the image brings: nothing of the host's but what the options name. */
export function containerEnvironment({ env, cpus, workspace }: Settings): string[] {
  const all = {
    HOME: workspace === undefined || workspace.writable ? WORKSPACE : '/tmp',
    LANG: 'C.UTF-8',
    USER: 'agent',
    // Figures are pictures here; there is no screen.
    MPLBACKEND: 'agg',
    // Threads of numeric libraries would each take memory for every core of the host.
    OPENBLAS_NUM_THREADS: String(Math.max(1, Math.ceil(cpus))),
    ...env,
  }
  return Object.entries(all).map(([name, value]) => `${name}=${value}`)
}
