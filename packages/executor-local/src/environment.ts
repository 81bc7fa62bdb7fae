import type { LocalOptions } from './local.ts'

/** The environment of the code: nothing of the host's but what the options name. */
export function sandboxEnvironment(home: string, options: LocalOptions): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    LANG: 'C.UTF-8',
    USER: 'agent',
    // Figures are pictures here; there is no screen.
    MPLBACKEND: 'agg',
    // Threads of numeric libraries would each take memory for every core of the host.
    OPENBLAS_NUM_THREADS: '2',
    ...options.env,
  }
}
