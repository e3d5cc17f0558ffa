import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const inServer = (path: string) => fileURLToPath(new URL(`../../packages/server/src/testing/${path}`, import.meta.url))

/** Tests against the real engine in this process, with the PostgreSQL of the server's tests. */
export default defineConfig({
  test: {
    // Beside the other tests: one run empties the cache at its start while the other reads it.
    fsModuleCachePath: fileURLToPath(new URL('node_modules/.vitest-cache', import.meta.url)),
    include: ['**/*.test.ts'],
    // The engine opens one folder per process.
    isolate: false,
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    globalSetup: [inServer('test-cluster.ts'), './engine-folder.ts'],
    setupFiles: [inServer('drop-test-databases.ts')],
  },
})
