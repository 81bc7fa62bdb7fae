import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'

// Packages see each other's sources, so no test needs a build. The rest is what Vite assumes for a server.
const conditions = ['@codeact/source', 'module', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      'packages/*/test/**/*.test.ts',
      'apps/*/test/**/*.test.ts',
      'test/**/*.test.ts',
      'examples/test/*.test.ts',
    ],
    pool: 'forks',
    // Most of a test's time goes to waiting for real processes, so even two cores can do two files at once.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
