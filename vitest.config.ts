import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { configDefaults, defineConfig } from 'vitest/config'
import { findInstalledPostgres } from './scripts/installed-postgres.ts'

/** Rooms without a browser and without a database. */
const plain = (name: string, root: string) => ({ test: { name, root, include: ['**/*.test.ts'] } })

const inServer = (path: string) => fileURLToPath(new URL(`./packages/server/${path}`, import.meta.url))
const installedPostgres = findInstalledPostgres()

/** Tests of the server that take a database of the run's server, so that the same ones can run on another server. */
function testsWithDatabase(): string[] {
  return globSync('**/*.test.ts', { cwd: inServer('src') })
    .filter((file) => readFileSync(inServer(`src/${file}`), 'utf8').includes('/test-database.ts'))
    .map((file) => `src/${file}`)
}

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
          exclude: [...configDefaults.exclude, '**/*.external.test.ts'],
          globalSetup: [inServer('src/testing/test-cluster.ts')],
        },
      },
      // The same on an external PostgreSQL, where the machine has one.
      ...(installedPostgres
        ? [
            {
              extends: true as const,
              test: {
                name: 'server-external',
                root: './packages/server',
                include: testsWithDatabase(),
                // Spend their time on starting processes; what those ask of the database, other tests ask as well.
                exclude: [...configDefaults.exclude, 'src/cli/**'],
                globalSetup: [inServer('src/testing/external-postgres.ts')],
                provide: { installedPostgres },
              },
            },
          ]
        : []),
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
      { extends: true, ...plain('bench', './bench') },
    ],
  },
})
