import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** Rooms without a browser and without a database. */
const plain = (name: string, root: string) => ({ test: { name, root, include: ['**/*.test.ts'] } })

export default defineConfig({
  test: {
    // The database of the server's tests is real; a machine that is busy besides should not fail them.
    testTimeout: 15_000,
    hookTimeout: 15_000,
    projects: [
      plain('contract', './packages/contract'),
      plain('samples', './packages/samples'),
      {
        extends: true,
        test: {
          name: 'server',
          root: './packages/server',
          include: ['**/*.test.ts'],
          globalSetup: [fileURLToPath(new URL('./packages/server/src/testing/test-cluster.ts', import.meta.url))],
        },
      },
      { extends: true, ...plain('gateway', './packages/gateway') },
      {
        plugins: [react()],
        test: {
          name: 'web',
          root: './packages/web',
          include: ['**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
        },
      },
      { extends: true, ...plain('scripts', './scripts') },
    ],
  },
})
